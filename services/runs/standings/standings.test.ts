import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readSpendings } from '../budgets/spendings.ts';
import { createRowsBench, type GivenRow, type RowsBench } from '../test-rows.ts';
import { readStandings } from './store.ts';

let bench: RowsBench;
beforeEach(async () => {
  bench = await createRowsBench();
});
afterEach(() => bench.close());

const open = (id: string, change: Partial<GivenRow> = {}): GivenRow => ({
  ...{ id, budgetScope: 'orc_1', phase: 'live', status: 'running', endedAt: null, costMicros: 1 },
  ...change,
});
const below = (id: string, root: string, parent: string, change: Partial<GivenRow> = {}) =>
  open(id, { rootRunId: root, parentRunId: parent, agentId: 'agt_2', agentName: 'helper', ...change });

test('each tree of a budget is told at the run that everything in it hangs on, with what it has cost', async () => {
  const parked = { phase: 'waiting', liveness: 'waiting', parkedAt: 70 } as const;
  await bench.insert(
    open('run_a', { inputTokens: 5, cacheReadTokens: 2 }),
    open('run_b', { ...parked, waitingFor: 'run_c' }),
    below('run_c', 'run_b', 'run_b', { ...parked, waitingFor: 'run_d', costMicros: 10 }),
    below('run_d', 'run_b', 'run_c', {
      ...parked,
      waitingFor: 'apr_1',
      summary: 'It asks.',
      costMicros: 100,
    }),
    below('run_e', 'run_b', 'run_b', { phase: 'ended', status: 'failed', endedAt: 5, costMicros: 1_000 }),
    open('run_f', { ...parked, waitingFor: 'run_g' }),
    below('run_g', 'run_f', 'run_f', {
      phase: 'paused',
      status: 'paused',
      errorFamily: 'sandbox',
      parkedAt: 80,
    }),
    below('run_h', 'run_f', 'run_f', { costMicros: null }),
    open('run_i', { phase: 'ended', status: 'completed', endedAt: 9 }),
    open('run_j', { budgetScope: 'orc_2' }),
    open('run_k', { phase: 'queued', status: 'queued', startedAt: null, createdAt: 60, costMicros: 0 }),
    open('run_l', {
      ...parked,
      phase: 'paused',
      takenOverBy: 'person:mem_1',
      pauseRequestedBy: 'person:mem_1',
    }),
  );
  const found = await readStandings(bench.database, 'orc_1');
  expect(
    found.map((one) => [one.runId, one.standing, one.atRunId, one.agentName, one.since, one.costMicros]),
  ).toEqual([
    ['run_a', 'working', 'run_a', 'engineer', null, 1],
    ['run_b', 'awaiting', 'run_d', 'helper', 70, 1_111],
    ['run_f', 'blocked', 'run_g', 'helper', 80, null],
    ['run_k', 'queued', 'run_k', 'engineer', 60, 0],
    ['run_l', 'takenOver', 'run_l', 'engineer', 70, 1],
  ]);
  expect(found[0]?.tokens).toEqual({ input: 5, output: 0, cacheRead: 2, cacheWrite: 0 });
  expect(found[1]).toMatchObject({ approvalId: 'apr_1', summary: 'It asks.', errorFamily: null });
  expect(found[2]).toMatchObject({
    approvalId: null,
    errorFamily: 'sandbox',
    resumeAt: null,
    pausedBy: null,
  });
  expect(found[4]).toMatchObject({ takenOverBy: 'person:mem_1', pausedBy: 'person:mem_1' });
});

test('of budgets, what was paid out of each; nothing of one out of which nothing was', async () => {
  const sql =
    'INSERT INTO budgets (scope, spentMicros, unknownCalls, unknownMicros, createdAt) VALUES (?, ?, ?, 0, 1)';
  const rows = [
    ['orc_1', 30, 2],
    ['orc_2', 0, 0],
    ['workspace/2026-11', 90, 0],
  ];
  await bench.database.write(
    'test.budgets',
    rows.map((args) => ({ sql, args })),
  );
  expect(await readSpendings(bench.database, ['orc_2', 'orc_1', 'orc_none'])).toEqual([
    { target: 'orc_1', spentMicros: 30, unknownCalls: 2 },
    { target: 'orc_2', spentMicros: 0, unknownCalls: 0 },
  ]);
});
