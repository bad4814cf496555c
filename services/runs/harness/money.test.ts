import { afterEach, describe, expect, test } from 'bun:test';
import { blocksOf } from '../../../test/model/messages-request.ts';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal } from './test-doubles/memory-journal.ts';
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

function answersOf(journal: { entries: { kind: string }[] }) {
  return journal.entries.filter((entry) => entry.kind === 'answer') as unknown as {
    costMicros: number | null;
    usage: object;
  }[];
}

const READ = tool('read_file');
const CALL = { tools: [{ name: 'read_file', input: { path: 'a' } }] };

describe('the cost of a run', () => {
  test('is exact, kind by kind', async () => {
    const usage = { inputTokens: 3, outputTokens: 1_000, cacheReadTokens: 40_005, cacheWriteTokens: 2_001 };
    const { journal } = await run([{ text: 'Done.', usage }]);
    // 3 × 1 + 1,000 × 10 + 40,005 × 0.1 + 2,001 × 1.25 = 16,504.75
    expect(answersOf(journal)).toMatchObject([
      { costMicros: 16_505, usage: { input: 3, output: 1_000, cacheRead: 40_005, cacheWrite: 2_001 } },
    ]);
  });

  test('is unknown when the price is', async () => {
    const { journal, outcome } = await run([{ text: 'Done.' }], { model: { prices: null } });
    expect(outcome.status).toBe('completed');
    expect(answersOf(journal)).toMatchObject([{ costMicros: null }]);
    expect(journal.reservations).toEqual([null]);
  });

  test('grows little with every turn, since the prompt is read from the cache', async () => {
    const long = { text: 'x'.repeat(4_000), cache: true };
    const { requests, journal } = await run([CALL, CALL, { text: 'Done.' }], {
      tools: createCountingTools([READ]),
      job: { system: [long, { text: 'Now.', cache: false }] },
    });
    const usages = answersOf(journal).map(({ usage }) => usage as Record<string, number>);
    expect(usages[0]?.cacheRead).toBe(0);
    expect(usages[1]?.cacheRead).toBeGreaterThan(1_000);
    expect(usages[2]?.cacheRead).toBeGreaterThan(usages[1]?.cacheRead ?? Number.POSITIVE_INFINITY);
    expect(usages[2]?.input).toBe(0);
    const { system, tools } = requests[2]?.body ?? {};
    expect(blocksOf(system).map((block) => block.cache_control !== undefined)).toEqual([true, false]);
    expect(tools?.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
  });
});

describe('the budget', () => {
  test('holds back an upper bound before each call, of the prompt and of all the output allowed', async () => {
    const { journal, requests } = await run([{ text: 'Done.' }]);
    const { system, tools, messages, max_tokens } = requests[0]?.body ?? {};
    const tokens = Math.ceil(JSON.stringify({ system, tools, messages }).length / 3);
    const bound = Math.ceil(tokens * 1.25 + (max_tokens ?? 0) * 10);
    expect(journal.reservations[0]).toBeGreaterThanOrEqual(bound);
    expect(journal.reservations[0]).toBeLessThanOrEqual(bound + 50);
    const answer = journal.entries.find((entry) => entry.kind === 'answer');
    expect(journal.reservations[0]).toBeGreaterThan(answer?.costMicros ?? Number.POSITIVE_INFINITY);
  });

  test('stops a run before the call that could pass it, and a raised one lets it go on', async () => {
    const tools = createCountingTools([READ]);
    const spend = { ...CALL, usage: { outputTokens: 10_000 } };
    const first = await run([spend, spend, { text: 'Done.' }], {
      tools,
      journal: createMemoryJournal({ capMicros: 200_000 }),
    });
    expect(first.outcome).toMatchObject({
      status: 'paused',
      liveness: 'blocked',
      errorFamily: 'budget',
      summary: expect.stringContaining('The budget is used up. No final answer was given.'),
    });
    expect(first.requests).toHaveLength(1);
    expect(tools.executions).toHaveLength(1);
    const raised = createMemoryJournal({ entries: first.journal.entries, capMicros: 1_000_000 });
    const { outcome } = await runAgainst(model?.url ?? '', { tools, journal: raised });
    expect(outcome.status).toBe('completed');
  });

  test('refuses a model without a price', async () => {
    const { outcome, requests } = await run([{ text: 'Done.' }], {
      model: { prices: null },
      journal: createMemoryJournal({ capMicros: 1_000_000_000 }),
    });
    expect(outcome).toMatchObject({ status: 'paused', errorFamily: 'budget' });
    expect(requests).toEqual([]);
  });

  test('that is nearly used is said once', async () => {
    const journal = createMemoryJournal({ capMicros: 1_000_000_000, wrapUpMicros: 1 });
    const { requests } = await run([CALL, CALL, { text: 'Done.' }], {
      journal,
      tools: createCountingTools([READ]),
    });
    const notes = journal.entries.filter((entry) => entry.kind === 'user' && entry.cause === 'budget');
    expect(notes).toHaveLength(1);
    const told = blocksOf(requests[1]?.body.messages.at(-1)?.content);
    expect(told.map((block) => block.type)).toEqual(['tool_result', 'text']);
  });
});
