import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../kit/database/database.ts';
import { migrate } from '../kit/database/migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { findRun, listRuns } from './runs/store.ts';

const directory = mkdtempSync(join(tmpdir(), 'runs-migrations-'));
let database: Database;
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

const OLD = {
  ...{ agentId: 'agt_1', agentName: 'qa', triggerKind: 'assignment', prompt: 'x', mode: 'chat' },
  ...{ profileVersion: 1, adapter: 'cc-harness', model: 'm', status: 'completed', phase: 'ended' },
  ...{ liveness: 'progressing', tools: '[]', sandbox: 'none', createdAt: 1 },
};

test('runs of the first version keep their place: each under the root of its parents', async () => {
  database = await Database.open(`file:${join(directory, 'old.db')}`);
  await migrate(database, { ...MIGRATIONS, migrations: MIGRATIONS.migrations.slice(0, 1) });
  const parents = { run_a: null, run_b: 'run_a', run_c: 'run_b', run_d: null };
  for (const [id, parentRunId] of Object.entries(parents)) {
    const row = Object.entries({ ...OLD, id, parentRunId });
    const names = row.map(([name]) => name).join(', ');
    const sql = `INSERT INTO runs (${names}) VALUES (${row.map(() => '?').join(', ')})`;
    await database.write('test', [{ sql, args: row.map(([, value]) => value) }]);
  }
  await migrate(database, MIGRATIONS);
  const rows = await database.read({
    sql: 'SELECT id, rootRunId, depth, hasContract FROM runs ORDER BY id',
    args: [],
  });
  expect(rows.map(({ id, rootRunId, depth, hasContract }) => [id, rootRunId, depth, hasContract])).toEqual([
    ['run_a', null, 0, 1],
    ['run_b', 'run_a', 1, 1],
    ['run_c', 'run_a', 2, 1],
    ['run_d', null, 0, 1],
  ]);
  const { items } = await listRuns(database, { rootRunId: 'run_a' });
  expect(items.map(({ id, children }) => [id, children])).toEqual([
    ['run_b', ['run_c']],
    ['run_c', []],
  ]);
  expect(await findRun(database, 'run_a')).toMatchObject({ children: ['run_b'], rootRunId: null });
});
