import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal, Killed } from './test-doubles/memory-journal.ts';
import { problemsOf, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

const TOOLS = [
  tool('read_file'),
  tool('write_file', { tier: 'write' }),
  tool('create_ticket', { tier: 'write', keyed: true }),
  tool('submit_plan'),
];

const TURNS: TurnSource[] = [
  {
    thinking: 'I look around.',
    text: 'I read two files and write one.',
    tools: [
      { name: 'read_file', input: { path: 'a' } },
      { name: 'read_file', input: { path: 'b' } },
      { name: 'write_file', input: { path: 'c' } },
    ],
  },
  {
    tools: [
      { name: 'create_ticket', input: { title: 'T' } },
      { name: 'write_file', input: { path: 'd' } },
    ],
  },
  { text: 'I forgot the plan.' },
  { tools: [{ name: 'submit_plan', input: {} }] },
  { text: 'Done.' },
];

const job = { exitVerb: 'submit_plan' };
let model: ScriptedModel;

beforeEach(() => {
  model = startTurns(...TURNS);
});

afterEach(() => model.stop());

function onceEach(tools: ReturnType<typeof createCountingTools>): void {
  for (const [callId, effects] of tools.effects) {
    const name = tools.executions.find((call) => call.callId === callId)?.name;
    if (name !== 'read_file' && name !== 'submit_plan') expect([name, effects]).toEqual([name, 1]);
  }
}

async function wholeJournal() {
  const { outcome, journal } = await runAgainst(model.url, { tools: createCountingTools(TOOLS), job });
  expect(outcome).toMatchObject({ status: 'completed', summary: 'Done.', errorFamily: null });
  return journal.entries;
}

describe('a run that is killed', () => {
  test('before any of its commits goes on to the same end, each effect made once', async () => {
    const commits = (await wholeJournal()).length;
    expect(commits).toBeGreaterThan(15);
    for (let count = 0; count < commits; count++) {
      const tools = createCountingTools(TOOLS);
      const journal = createMemoryJournal({ commits: count });
      await expect(runAgainst(model.url, { tools, journal, job })).rejects.toBeInstanceOf(Killed);
      const rest = createMemoryJournal({ entries: journal.entries });
      const { outcome } = await runAgainst(model.url, { tools, journal: rest, job });
      expect(outcome).toMatchObject({ status: 'completed', summary: 'Done.', errorFamily: null });
      onceEach(tools);
    }
    expect(problemsOf(model)).toEqual([]);
  });

  test('at every second commit again and again still comes to its end', async () => {
    const tools = createCountingTools(TOOLS);
    let entries = createMemoryJournal().entries;
    let starts = 0;
    for (;;) {
      starts += 1;
      const journal = createMemoryJournal({ entries, commits: 2 });
      const finished = await runAgainst(model.url, { tools, journal, job }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Killed);
        return null;
      });
      entries = journal.entries;
      if (finished !== null) break;
      expect(starts).toBeLessThan(60);
    }
    onceEach(tools);
    expect(problemsOf(model)).toEqual([]);
  });

  test('leaves a journal that can be cut anywhere', async () => {
    const entries = await wholeJournal();
    for (let length = 0; length <= entries.length; length++) {
      const tools = createCountingTools(TOOLS);
      const journal = createMemoryJournal({ entries: entries.slice(0, length) });
      const { outcome } = await runAgainst(model.url, { tools, journal, job });
      expect(outcome).toMatchObject({ status: 'completed', summary: 'Done.', errorFamily: null });
      onceEach(tools);
    }
    expect(problemsOf(model)).toEqual([]);
  });
});

describe('a call that had started', () => {
  async function resumeAfterStart(name: string, keptCommits = 3) {
    const only = startTurns({ tools: [{ name, input: { path: 'x' } }] }, { text: 'Done.' });
    try {
      const tools = createCountingTools(TOOLS, { [name]: () => result('effect') });
      // Prompt, answer and, where there is one, start are kept; the effect is made and its result is lost.
      const journal = createMemoryJournal({ commits: keptCommits });
      await expect(runAgainst(only.url, { tools, journal })).rejects.toBeInstanceOf(Killed);
      const callId = tools.executions[0]?.callId ?? '';
      const rest = createMemoryJournal({ entries: journal.entries });
      const { outcome } = await runAgainst(only.url, { tools, journal: rest });
      expect(outcome.status).toBe('completed');
      const kept = rest.entries.find((entry) => entry.kind === 'toolFinished' && entry.callId === callId);
      return { tools, callId, kept };
    } finally {
      await only.stop();
    }
  }

  test('runs again in the read tier', async () => {
    const { tools, kept } = await resumeAfterStart('read_file', 2);
    expect(tools.executions).toHaveLength(2);
    expect(kept).toMatchObject({ isError: false, content: 'effect' });
  });

  test('runs again when its owner keeps it to one effect', async () => {
    const { tools, callId, kept } = await resumeAfterStart('create_ticket');
    expect(tools.executions.map((call) => call.callId)).toEqual([callId, callId]);
    expect(tools.effects.get(callId)).toBe(1);
    expect(kept).toMatchObject({ isError: false });
  });

  test('is reported as interrupted otherwise, never silently run twice', async () => {
    const { tools, callId, kept } = await resumeAfterStart('write_file');
    expect(tools.effects.get(callId)).toBe(1);
    expect(kept).toMatchObject({ isError: true, content: expect.stringContaining('interrupted') });
  });
});
