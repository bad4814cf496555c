import { afterEach, describe, expect, test } from 'bun:test';
import { blocksOf, type RequestBlock } from '../../../test/model/messages-request.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal, Killed } from './test-doubles/memory-journal.ts';
import { problemsOf, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

let model: ScriptedModel;
afterEach(() => model.stop());

const READ = tool('read_file');
const calls = (...paths: string[]) => ({
  tools: paths.map((path) => ({ name: 'read_file', input: { path } })),
});
const lastBlocks = (at: number): RequestBlock[] =>
  blocksOf(model.requests[at]?.body.messages.at(-1)?.content);

describe('what a person writes to a run at work', () => {
  test('stands after all results of the calls that were being made, before the next answer', async () => {
    const inbox: string[] = [];
    model = startTurns(calls('a', 'b'), { text: 'Done.' });
    const tools = createCountingTools([READ], {
      read_file: ({ input }) => {
        if ((input as { path: string }).path === 'a') inbox.push('Look at c as well.');
        return result('read');
      },
    });
    const { outcome } = await runAgainst(model.url, { journal: createMemoryJournal({ inbox }), tools });
    expect(outcome.status).toBe('completed');
    expect(lastBlocks(1).map((block) => block.type)).toEqual(['tool_result', 'tool_result', 'text']);
    expect(lastBlocks(1).at(-1)?.text).toBe('Look at c as well.');
    expect(problemsOf(model)).toEqual([]);
  });

  test('keeps a run going that was about to end, with its contract as before', async () => {
    const inbox: string[] = [];
    model = startTurns(
      () => {
        inbox.push('One more thing.');
        return { text: 'Done.' };
      },
      { text: 'Done, with one more thing.' },
    );
    const { outcome, journal } = await runAgainst(model.url, { journal: createMemoryJournal({ inbox }) });
    expect(outcome).toMatchObject({ status: 'completed', summary: 'Done, with one more thing.' });
    expect(journal.entries.map((entry) => entry.kind)).toEqual(['user', 'answer', 'user', 'answer']);
    expect(problemsOf(model)).toEqual([]);
  });

  test('waits while a call waits for a person, and comes after its result', async () => {
    let decided = false;
    const inbox = ['first'];
    model = startTurns({ tools: [{ name: 'ask_user', input: {} }] }, { text: 'Thanks.' });
    const tools = createCountingTools([tool('ask_user', { keyed: true })], {
      ask_user: () => (decided ? result('Yes.') : { kind: 'suspend', waitingFor: 'apr_1' }),
    });
    const journal = createMemoryJournal({ inbox });
    expect((await runAgainst(model.url, { journal, tools })).outcome.status).toBe('suspended');
    inbox.push('second');
    decided = true;
    expect((await runAgainst(model.url, { journal, tools })).outcome.status).toBe('completed');
    expect(lastBlocks(0).map((block) => block.text)).toEqual(['Do the work.', 'first']);
    expect(lastBlocks(1).map((block) => block.text ?? block.type)).toEqual(['tool_result', 'second']);
  });

  test('is in the journal once, wherever the run is killed', async () => {
    for (let commits = 0; commits < 6; commits++) {
      model = startTurns(calls('a'), { text: 'Done.' });
      const inbox = ['Mind the tests.'];
      const tools = createCountingTools([READ]);
      const journal = createMemoryJournal({ inbox, commits });
      const first = runAgainst(model.url, { journal, tools });
      if (commits < 5) await expect(first).rejects.toBeInstanceOf(Killed);
      else await first;
      const rest = createMemoryJournal({ inbox, entries: journal.entries });
      await runAgainst(model.url, { journal: rest, tools });
      const taken = rest.entries.filter((entry) => entry.kind === 'user' && entry.cause === 'message');
      expect(taken).toHaveLength(1);
      await model.stop();
    }
    model = startTurns();
  });
});
