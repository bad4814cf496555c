import { afterEach, describe, expect, test } from 'bun:test';
import { blocksOf, type RequestBlock, type RequestMessage } from '../../../test/model/messages-request.ts';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { problemsOf, type RunOptions, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

let model: ScriptedModel | null = null;

afterEach(async () => {
  await model?.stop();
  model = null;
});

async function run(turns: TurnSource[], options: RunOptions = {}) {
  model = startTurns(...turns);
  const finished = await runAgainst(model.url, options);
  expect(problemsOf(model)).toEqual([]);
  return { ...finished, requests: model.requests };
}

function lastMessage(request: { body: { messages: RequestMessage[] } } | undefined): RequestBlock[] {
  return blocksOf(request?.body.messages.at(-1)?.content);
}

const READ = tool('read_file');
const WRITE = tool('write_file', { tier: 'write' });

describe('a run', () => {
  test('ends with the text of the answer', async () => {
    const { outcome, journal, news } = await run([{ text: 'All done.', thinking: 'Let me see.' }]);
    expect(outcome).toEqual({
      status: 'completed',
      liveness: 'progressing',
      errorFamily: null,
      summary: 'All done.',
      output: { text: 'All done.', value: null },
      waitingFor: null,
    });
    expect(journal.labels).toEqual(['run.prompt', 'run.answer']);
    expect(news).toEqual(['thinking:Let me see.', 'text:All done.']);
  });

  test('that is called again after its end ends the same way and asks nothing', async () => {
    const first = await run([{ text: 'Done.' }]);
    const again = await runAgainst(model?.url ?? '', { journal: first.journal });
    expect(again.outcome).toEqual(first.outcome);
    expect(model?.requests).toHaveLength(1);
  });

  test('sends the whole history, with thinking and its signature', async () => {
    const tools = createCountingTools([READ]);
    const turns = [
      { thinking: 'Hm.', text: 'I read.', tools: [{ name: 'read_file', input: { path: 'a' } }] },
    ];
    const { requests } = await run([...turns, { text: 'Read.' }], { tools });
    const [, assistant, user] = requests[1]?.body.messages ?? [];
    const said = blocksOf(assistant?.content);
    expect(said.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(said[0]?.signature).toBeString();
    expect(user?.content).toMatchObject([{ type: 'tool_result', content: 'read_file {"path":"a"}' }]);
  });

  test('says nothing and does nothing: its liveness says so', async () => {
    const { outcome } = await run([{ text: '' }]);
    expect(outcome).toMatchObject({ status: 'completed', liveness: 'empty', errorFamily: 'silentRun' });
  });

  test('refused by the model fails', async () => {
    const { outcome } = await run([{ text: 'I cannot.', stopReason: 'refusal' }]);
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'refused' });
  });

  test('stops at its turn limit', async () => {
    let count = 0;
    const turn = () => ({ tools: [{ name: 'read_file', input: { page: count++ } }] });
    const { outcome, requests } = await run(
      Array.from({ length: 9 }, () => turn),
      {
        tools: createCountingTools([READ]),
        job: { maxTurns: 4 },
      },
    );
    expect(requests).toHaveLength(4);
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'silentRun' });
    expect(outcome.summary).toContain('4 turns');
  });

  test('with an unusable output schema is refused before any call', async () => {
    const { outcome, requests } = await run([], { job: { outputSchema: { $ref: '#/nowhere' } } });
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'invalidRequest' });
    expect(requests).toHaveLength(0);
  });
});

describe('tool calls', () => {
  test('of the read tier run together, and their results stand in call order', async () => {
    const arrived = Promise.withResolvers<void>();
    const tools = createCountingTools([READ], {
      read_file: async ({ input }) => {
        const { path } = input as { path: string };
        if (path === 'c') arrived.resolve();
        // The first ends only when the last has begun: they would never end one after the other.
        await arrived.promise;
        return result(path);
      },
    });
    const calls = ['a', 'b', 'c'].map((path) => ({ name: 'read_file', input: { path } }));
    const { requests } = await run([{ tools: calls }, { text: 'Done.' }], { tools });
    expect(tools.widest).toBe(3);
    expect(lastMessage(requests[1]).map((block) => block.content)).toEqual(['a', 'b', 'c']);
  });

  test('above the read tier run one after the other, in order, and hold back later reads', async () => {
    const takeTurn = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return result('Done.');
    };
    const tools = createCountingTools([READ, WRITE], { read_file: takeTurn, write_file: takeTurn });
    const names = ['write_file', 'read_file', 'write_file', 'write_file'];
    await run([{ tools: names.map((name, index) => ({ name, input: { index } })) }, { text: 'Done.' }], {
      tools,
    });
    expect(tools.widest).toBe(1);
    expect(tools.executions.map(({ input }) => input)).toEqual([0, 1, 2, 3].map((index) => ({ index })));
  });

  test('of an unknown tool get an error that names the tools there are', async () => {
    const tools = createCountingTools([READ, WRITE]);
    const turns = [{ tools: [{ name: 'run_command', input: { command: 'rm -rf /' } }] }, { text: 'Oh.' }];
    const { requests, outcome } = await run(turns, { tools });
    const [block] = lastMessage(requests[1]);
    expect(block).toMatchObject({ type: 'tool_result', is_error: true });
    expect(block?.content).toContain('read_file, write_file');
    expect(tools.executions).toEqual([]);
    expect(outcome.status).toBe('completed');
  });

  test('with arguments that are no JSON get an error and do not run', async () => {
    const tools = createCountingTools([WRITE]);
    const turn = {
      tools: [{ name: 'write_file', input: { path: 'a' } }],
      fault: { kind: 'broken_tool_json' as const },
    };
    const { requests } = await run([turn, { text: 'Sorry.' }], { tools });
    expect(lastMessage(requests[1])[0]).toMatchObject({ is_error: true });
    expect(lastMessage(requests[1])[0]?.content).toContain('{"path":"a"');
    expect(tools.executions).toEqual([]);
  });

  test('whose failure is the tool’s own are reported to the model', async () => {
    const tools = createCountingTools([READ], { read_file: () => result('No such file.', true) });
    const { requests, news } = await run([{ tools: [{ name: 'read_file', input: {} }] }, { text: 'Hm.' }], {
      tools,
    });
    expect(lastMessage(requests[1])[0]).toMatchObject({ content: 'No such file.', is_error: true });
    expect(news).toContain('finished:read_file:error');
  });

  test('that say nothing are still answered', async () => {
    const tools = createCountingTools([READ], { read_file: () => result('') });
    const { requests } = await run([{ tools: [{ name: 'read_file', input: {} }] }, { text: 'Hm.' }], {
      tools,
    });
    expect(lastMessage(requests[1])[0]?.content).toBe('(no output)');
  });

  test('fail the run when the tools cannot be reached at all', async () => {
    const tools = createCountingTools([READ], { read_file: () => Promise.reject(new Error('runner gone')) });
    const { outcome } = await run([{ tools: [{ name: 'read_file', input: {} }] }], { tools });
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'toolFailure' });
    expect(outcome.summary).toContain('runner gone');
  });

  test('that wait for a person suspend the run and run again when it is resumed', async () => {
    let decided = false;
    const tools = createCountingTools([READ, tool('ask_user')], {
      ask_user: () => (decided ? result('Yes.') : { kind: 'suspend', waitingFor: 'apr_1' }),
    });
    const names = ['read_file', 'ask_user', 'read_file'];
    const first = await run([{ tools: names.map((name) => ({ name, input: {} })) }, { text: 'Thanks.' }], {
      tools,
    });
    expect(first.outcome).toMatchObject({ status: 'suspended', liveness: 'waiting', waitingFor: 'apr_1' });
    decided = true;
    const { outcome } = await runAgainst(model?.url ?? '', { journal: first.journal, tools });
    expect(outcome).toMatchObject({ status: 'completed', summary: 'Thanks.' });
    expect(lastMessage(model?.requests[1]).map((block) => block.content)).toContain('Yes.');
    expect(tools.executions.map(({ name }) => name).sort()).toEqual([
      'ask_user',
      'ask_user',
      'read_file',
      'read_file',
    ]);
  });
});

describe('an answer cut at the token limit', () => {
  test('loses its last call, and the model is told', async () => {
    const tools = createCountingTools([READ, WRITE]);
    const calls = [
      { name: 'read_file', input: {} },
      { name: 'write_file', input: { text: 'half' } },
    ];
    const { requests, outcome } = await run(
      [{ tools: calls, stopReason: 'max_tokens' }, { text: 'Smaller now.' }],
      { tools },
    );
    expect(tools.executions.map(({ name }) => name)).toEqual(['read_file']);
    const blocks = lastMessage(requests[1]);
    expect(blocks.map((block) => block.type)).toEqual(['tool_result', 'text']);
    expect(blocks[1]?.text).toContain('did not run');
    expect(outcome.status).toBe('completed');
  });

  test('goes on, and the output is the whole text', async () => {
    const { outcome } = await run([
      { text: 'First half, ', stopReason: 'max_tokens' },
      { text: 'second half.' },
    ]);
    expect(outcome.output?.text).toBe('First half, second half.');
  });
});
