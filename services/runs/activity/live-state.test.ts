import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Liveness } from '../harness/outcome.ts';
import type { RunStatus } from '../runs/schema.ts';
import { createRowsBench, type GivenRow, type RowsBench } from '../test-rows.ts';
import { type LiveState, liveStateOf } from './live-state.ts';
import { latestRuns } from './store.ts';

let bench: RowsBench;
beforeEach(async () => {
  bench = await createRowsBench();
});
afterEach(() => bench.close());

test.each<[RunStatus, Liveness, LiveState]>([
  ['running', 'progressing', 'running'],
  ['running', 'waiting', 'running'],
  ['running', 'stalled', 'running'],
  ['failed', 'looping', 'failed'],
  ['failed', 'stalled', 'failed'],
  ['failed', 'empty', 'failed'],
  ['completed', 'dead', 'failed'],
  ['cancelled', 'empty', 'idle'],
  ['paused', 'failed', 'failed'],
  ['paused', 'blocked', 'blocked'],
  ['completed', 'stalled', 'blocked'],
  ['completed', 'looping', 'blocked'],
  ['completed', 'progressing', 'idle'],
  ['completed', 'empty', 'idle'],
  ['paused', 'waiting', 'idle'],
])('a last run that is %s and %s makes its agent %s', (status, liveness, state) => {
  expect(liveStateOf({ status, liveness })).toBe(state);
});

const ended = (id: string, change: Partial<GivenRow> = {}): GivenRow => ({ id, ...change });
const states = async (...agentIds: string[]) => {
  const latest = await latestRuns(bench.database, agentIds);
  return agentIds.map((id) => [latest.get(id)?.id ?? null, liveStateOf(latest.get(id) ?? null)]);
};

test('who has run nothing, or has only a run that is queued, never ran', async () => {
  await bench.insert(ended('run_1', { phase: 'queued', status: 'queued', startedAt: null, endedAt: null }));
  expect(await states('agt_1', 'agt_none')).toEqual([
    [null, 'neverRun'],
    [null, 'neverRun'],
  ]);
});

test('a run that is queued beside a failed one changes nothing; one that failed before it began counts', async () => {
  await bench.insert(
    ended('run_1', { status: 'failed', liveness: 'failed', startedAt: null, endedAt: 50 }),
    ended('run_2', { phase: 'queued', status: 'queued', createdAt: 90, startedAt: null, endedAt: null }),
  );
  expect(await states('agt_1')).toEqual([['run_1', 'failed']]);
});

test('a run in progress counts, whatever ended since it began', async () => {
  await bench.insert(
    ended('run_1', { phase: 'waiting', status: 'running', liveness: 'waiting', startedAt: 5, endedAt: null }),
    ended('run_2', { status: 'failed', liveness: 'failed', startedAt: 6, endedAt: 70 }),
  );
  expect(await states('agt_1')).toEqual([['run_1', 'running']]);
});

test('of runs that are over the one that ended last counts, not the one that was made last', async () => {
  await bench.insert(
    ended('run_1', { startedAt: 10, endedAt: 100 }),
    ended('run_2', {
      parentRunId: 'run_1',
      rootRunId: 'run_1',
      status: 'failed',
      startedAt: 20,
      endedAt: 60,
    }),
    ended('run_3', { agentId: 'agt_2', status: 'failed', liveness: 'dead', endedAt: 200 }),
    ended('run_4', {
      agentId: 'agt_3',
      phase: 'paused',
      status: 'paused',
      liveness: 'blocked',
      endedAt: null,
    }),
  );
  expect(await states('agt_1', 'agt_2', 'agt_3')).toEqual([
    ['run_1', 'idle'],
    ['run_3', 'failed'],
    ['run_4', 'blocked'],
  ]);
});
