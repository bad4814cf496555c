import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../kit/database/database.ts';
import { EVENT_MIGRATIONS } from '../kit/database/event-log.ts';
import { type MigrationSet, migrate } from '../kit/database/migrate.ts';
import { openSpaces, temporaryDirectory } from './fixture.ts';
import { MIGRATIONS } from './migrations.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

const oldest = ({ owner, migrations }: MigrationSet): MigrationSet => ({
  owner,
  migrations: migrations.slice(0, 1),
});

const ROWS = [
  `INSERT INTO events VALUES (1, 5, 'person:mem_1', 'space.created', 'spc_1', '{"name":"Old"}')`,
  `INSERT INTO spaces VALUES ('spc_1', 'Old', 'plan', '[]', '[]', NULL, 'cnv_1', 5, 3, NULL)`,
  `INSERT INTO conversations VALUES ('cnv_1', 'spc_1', 'main', NULL, 'Old', 5, NULL)`,
  `INSERT INTO messages VALUES (1, 'msg_1', 'cnv_1', 'agent:agt_1', 'question', 'Q', '{"approvalId":"apr_1"}', '[]', 5, 5,
    1, NULL)`,
  ...[
    ['apr_1', 'question', 'null'],
    ['apr_2', 'plan_exit', "'spc_1'"],
    ['apr_3', 'plan_exit', "'spc_1'"],
  ].map(
    ([id, kind, spaceId]) =>
      `INSERT INTO approvals VALUES ('${id}', '${kind}', 'agent:agt_1', 'Old', '{}', 'd', 'pending', NULL, NULL, NULL,
        'run_1', ${spaceId}, 'cnv_1', 5, '${id}')`,
  ),
];

test('what an older version wrote is there, waits and can be decided', async () => {
  const folder = join(directory.path, 'workspaces', 'ws_old');
  mkdirSync(folder, { recursive: true });
  const old = await Database.open(`file:${join(folder, 'workspace.db')}`);
  for (const set of [EVENT_MIGRATIONS, MIGRATIONS]) await migrate(old, oldest(set));
  await old.write(
    'old.rows',
    ROWS.map((sql) => ({ sql, args: [] })),
  );
  old.close();

  const open = await openSpaces({ dataDir: directory.path });
  const get = async (path: string) => (await open.call('GET', `/workspaces/ws_old${path}`)).body;
  expect(await get('/spaces/spc_1')).toMatchObject({
    ...{ name: 'Old', mode: 'plan', version: 3, autonomy: 'actWithApproval', whenNobody: 'refuse' },
  });
  expect(await get('/guardrails?spaceId=spc_1')).toMatchObject({ mode: 'plan', rules: [] });
  // There is one way out of a space; the newest of several stands.
  const { items, count } = await get('/inbox');
  expect([items.map(({ id }: { id: string }) => id).sort(), count]).toEqual([['apr_1', 'apr_3'], 2]);
  expect(items[0]).toMatchObject({ rootRunId: null, grant: null });
  expect((await get('/audit')).items).toMatchObject([{ seq: 1, action: 'space.created', source: null }]);
  const path = '/workspaces/ws_old/approvals/apr_1/decision';
  expect((await open.call('POST', path, { decision: 'approved' })).status).toBe(200);
  expect((await get('/conversations/cnv_1/messages')).items[0].data).toEqual({
    ...{ approvalId: 'apr_1', status: 'approved' },
  });
  await open.close();
});
