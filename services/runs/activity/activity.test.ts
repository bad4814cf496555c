import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createRowsBench, type GivenRow, type RowsBench } from '../test-rows.ts';
import { activityOf } from './activity.ts';
import { activeRuns } from './store.ts';

let bench: RowsBench;
beforeEach(async () => {
  bench = await createRowsBench();
});
afterEach(() => bench.close());

const begun = (id: string, change: Partial<GivenRow>): GivenRow => ({
  ...{ id, status: 'running', startedAt: 10, endedAt: null },
  ...change,
});
const activities = async () =>
  (await activeRuns(bench.database))
    .map((run) => activityOf(run, undefined))
    .toSorted((a, b) => (a.runId < b.runId ? -1 : 1));

test('what each run that has begun is about, since its last entry', async () => {
  await bench.insert(
    begun('run_1', { phase: 'live', conversationId: 'cnv_1', spaceId: 'spc_1' }),
    begun('run_2', { phase: 'queued' }),
    begun('run_3', { phase: 'waiting', waitingFor: 'apr_1' }),
    begun('run_4', { phase: 'waiting', waitingFor: 'run_9' }),
    begun('run_5', { phase: 'paused', status: 'paused' }),
    begun('run_6', { phase: 'waiting', waitingFor: 'apr_2' }),
    begun('run_7', { phase: 'queued', status: 'queued', startedAt: null }),
  );
  await bench.log('run_1', 20, { kind: 'user', cause: 'prompt', text: 'x' });
  await bench.log(
    'run_3',
    30,
    { kind: 'user', cause: 'prompt', text: 'x' },
    { kind: 'toolHeld', callId: 'c1', name: 'run_command', approvalId: 'apr_1' },
  );
  const found = await activities();
  expect(
    found.map(({ runId, state, tool, approvalId, since }) => [runId, state, tool, approvalId, since]),
  ).toEqual([
    ['run_1', 'thinking', null, null, 20],
    ['run_2', 'thinking', null, null, 10],
    ['run_3', 'waitingForApproval', 'run_command', 'apr_1', 31],
    ['run_4', 'runningTool', 'run_subagent', null, 10],
    ['run_5', 'paused', null, null, 10],
    ['run_6', 'waitingForApproval', null, 'apr_2', 10],
  ]);
  expect(found[0]).toMatchObject({ agentId: 'agt_1', conversationId: 'cnv_1', spaceId: 'spc_1' });
});

test('an agent without a run in progress is done with the one that ended last', async () => {
  await bench.insert(
    { id: 'run_1', endedAt: 100 },
    { id: 'run_2', endedAt: 90 },
    { id: 'run_3', agentId: 'agt_2', endedAt: 80 },
    begun('run_4', { agentId: 'agt_2', phase: 'live' }),
    { id: 'run_5', agentId: 'agt_3', endedAt: 70, status: 'failed' },
  );
  expect((await activities()).map(({ agentId, state, since }) => [agentId, state, since])).toEqual([
    ['agt_1', 'done', 100],
    ['agt_2', 'thinking', 10],
    ['agt_3', 'done', 70],
  ]);
});

test('only a run with a loop shows the call that is made', () => {
  const run = {
    ...{ agentId: 'agt_1', runId: 'run_1', waitingFor: null, conversationId: null, spaceId: null },
    ...{ lastAt: 5, heldTool: null },
  };
  const running = { name: 'read_file', at: 9 };
  expect(activityOf({ ...run, phase: 'live' }, running)).toMatchObject({
    ...{ state: 'runningTool', tool: 'read_file', since: 9 },
  });
  expect(activityOf({ ...run, phase: 'paused' }, running)).toMatchObject({ state: 'paused', since: 5 });
});
