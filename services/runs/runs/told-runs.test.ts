import { afterEach, beforeEach, expect, test } from 'bun:test';
import { EVENT_MIGRATIONS, readEvents } from '../../kit/database/event-log.ts';
import { migrate } from '../../kit/database/migrate.ts';
import { createRowsBench, type RowsBench } from '../test-rows.ts';
import { requestPause, resumeDue, resumeRun } from './pausing.ts';
import { runEvent } from './run.ts';

let bench: RowsBench;
beforeEach(async () => {
  bench = await createRowsBench();
  await migrate(bench.database, EVENT_MIGRATIONS);
});
afterEach(() => bench.close());

test('every event of a run under an orchestration names it, whoever tells it; of others none does', async () => {
  const idle = { phase: 'queued', status: 'running', endedAt: null } as const;
  await bench.insert({ ...idle, id: 'run_1', budgetScope: 'orc_1' }, { ...idle, id: 'run_2' });
  const by = 'person:mem_1';
  for (const runId of ['run_1', 'run_2']) {
    await requestPause(bench.database, { runId, by, at: 5 });
    await resumeRun(bench.database, { runId, by, at: 6 });
  }
  await bench.insert({ ...idle, id: 'run_3', phase: 'paused', resumeAt: 7, budgetScope: 'orc_1' });
  await resumeDue(bench.database, 8);
  const events = await readEvents(bench.database, 0);
  expect(events.map(({ type, subject, data }) => [type, subject, data])).toEqual([
    ['run.pauseRequested', 'run_1', { orchestrationId: 'orc_1' }],
    ['run.paused', 'run_1', { errorFamily: null, summary: 'Paused by a person.', orchestrationId: 'orc_1' }],
    ['run.resumed', 'run_1', { orchestrationId: 'orc_1' }],
    ['run.pauseRequested', 'run_2', {}],
    ['run.paused', 'run_2', { errorFamily: null, summary: 'Paused by a person.' }],
    ['run.resumed', 'run_2', {}],
    ['run.resumed', 'run_3', { automatic: true, orchestrationId: 'orc_1' }],
  ]);
  const told = (budgetScope: string | null) =>
    runEvent({ id: 'run_1', agentId: 'agt_1', budgetScope }, 'run.continued', 1, { a: 1 }).data;
  expect([told('orc_1'), told(null)]).toEqual([{ a: 1, orchestrationId: 'orc_1' }, { a: 1 }]);
});
