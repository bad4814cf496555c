import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import { Wakes } from '../kit/wakes.ts';
import { driverOf } from './doubles/driver.ts';
import { nodeOf, PERSON, proposalOf, WORKSPACE, World } from './doubles/world.ts';
import { MIGRATIONS } from './migrations.ts';

setDefaultTimeout(30_000);

let world: World;
afterEach(() => world.end());

const TOKENS = '{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}';
const NODES = [nodeOf('b', 'a'), nodeOf('a')];

function insert(table: string, row: Record<string, string | number>) {
  const columns = Object.keys(row);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return { sql, args: Object.values(row) };
}

/** A database as it was before plans could be approved: an open proposal and a submitted plan. */
async function older(dataDir: string, origin: { spaceId: string; conversationId: string }): Promise<void> {
  const migrations = [{ ...MIGRATIONS, migrations: MIGRATIONS.migrations.slice(0, 1) }];
  const databases = new WorkspaceDatabases({ dataDir, migrations, wakes: new Wakes() });
  const database = await databases.create(WORKSPACE);
  const common = { ...origin, proposedBy: 'agent:agt_old', createdAt: 1000 };
  const { goal, budgetMicros } = proposalOf();
  const orchestration = { status: 'proposed', revision: 1, tokens: TOKENS, updatedAt: 1000, budgetMicros };
  const proposal = JSON.stringify(proposalOf());
  const first = { orchestrationId: 'orc_old', revision: 1, origin: 'proposed', proposal, createdAt: 1000 };
  await database.write('seed', [
    insert('orchestrations', { ...common, ...orchestration, id: 'orc_old', key: 'k1', goal }),
    insert('revisions', { ...first, key: 'k1', author: 'agent:agt_old' }),
    insert('plans', {
      ...common,
      ...{
        id: 'pln_old',
        key: 'k2',
        goal: 'An old "plan"',
        nodes: JSON.stringify(NODES),
        messageId: 'msg_old',
      },
    }),
  ]);
  await databases.close();
}

test('rows from before plans could be approved survive: the proposal goes on, the plan can be read', async () => {
  const origin = { spaceId: 'spc_old', conversationId: 'cnv_old' };
  world = await World.create({ prepare: (dataDir) => older(dataDir, origin) });
  world.spaces.conversations.push({ id: 'cnv_old', key: 'old', spaceId: 'spc_old', title: 'old' });
  const [space] = world.spaces.spaces;
  world.spaces.spaces.push({ ...space!, id: 'spc_old', key: 'old', mainConversationId: 'cnv_old' });
  await world.live();
  const drive = driverOf(world);
  const plan = await drive.planOf('pln_old');
  expect(plan).toMatchObject({
    ...{ kind: 'plan', goal: 'An old "plan"', nodes: NODES, revision: 1, messageId: 'msg_old', ...origin },
    ...{ status: 'cancelled', failure: { code: 'not_carried_over' }, proposedBy: 'agent:agt_old' },
  });
  expect((await drive.revisions('pln_old')).map(({ author }) => author)).toEqual(['agent:agt_old']);
  await expect(drive.approve('pln_old')).rejects.toMatchObject({ code: 'already_decided' });
  await world.until(
    'the proposal is published',
    async () => (await drive.detail('orc_old')).approvalId !== null,
  );
  expect(await drive.detail('orc_old')).toMatchObject({
    kind: 'orchestration',
    changesRequestedRevision: null,
  });
  await drive.approve('orc_old', 1, PERSON);
  await drive.ended('orc_old', 'completed');
  expect(world.errors).toEqual([]);
});
