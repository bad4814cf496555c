import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { compilePlan } from '../../core-wasm/core.ts';
import { actorId } from '../kit/actor.ts';
import { unwrap } from '../kit/peer.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import { faultOf } from './doubles/fault-of.ts';
import { nodeOf, PERSON, WORKSPACE, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
let drive: Driver;
beforeEach(async () => {
  world = await World.create({ mode: 'plan', repository: true });
  await world.live();
  drive = driverOf(world);
});
afterEach(() => world.end());

const NODES = [nodeOf('read'), nodeOf('mend', 'read'), nodeOf('check', 'mend')];
const spaceChanges = () => world.spaces.modeChanges.filter(({ spaceId }) => spaceId === world.spaceId);
const card = () => world.spaces.messages.find((message) => message.kind === 'plan')!;

/** What a person's editor sends after it loaded the plan. */
async function edited(id: string, title: string) {
  const { proposal } = await drive.detail(id);
  proposal.tickets[0]!.title = title;
  return proposal;
}

test('a plan is a ticket, a compact card and an approval, and the same key gives the same one', async () => {
  const plan = await drive.plan(NODES, { key: 'k' });
  expect((await drive.plan(NODES, { key: 'k' })).id).toBe(plan.id);
  expect(plan).toMatchObject({
    ...{ kind: 'plan', status: 'proposed', revision: 1, goal: 'Plan it', nodes: NODES },
    ...{ budgetMicros: 5_000_000, budgetIsDefault: true, proposedBy: world.agent, spaceReturned: false },
  });
  expect(await drive.planOf(plan.id)).toEqual(plan);
  expect(world.spaces.tickets).toMatchObject([{ id: plan.parentTicketId, status: 'open', title: 'Plan it' }]);
  expect(world.spaces.messages).toMatchObject([
    {
      ...{ id: plan.messageId, kind: 'plan', author: world.agent },
      body: '**Plan, waiting for approval** · revision 1\n\nPlan it\n\n3 nodes, budget $5.00 (default)',
      data: { planId: plan.id, orchestrationId: plan.id, status: 'proposed', revision: 1, nodes: 3 },
    },
  ]);
  expect(world.spaces.approvals).toMatchObject([
    {
      ...{ id: plan.approvalId, status: 'pending', requester: world.agent, kind: 'orchestration' },
      ...{ conversationId: world.conversationId },
      arguments: { orchestrationId: plan.id, revision: 1, kind: 'plan' },
    },
  ]);
});

test('a budget that the agent names is no default, and a revision without one keeps it', async () => {
  const { id } = await drive.plan(NODES, { budgetMicros: 1_500_000 });
  expect(card().body).toEndWith('3 nodes, budget $1.50');
  const revised = await drive.plan([nodeOf('all')], { planId: id });
  expect(revised).toMatchObject({ id, revision: 2, budgetMicros: 1_500_000, budgetIsDefault: false });
  expect(card().body).toEndWith('1 node, budget $1.50');
});

test('plans and orchestrations are listed by kind, and each is revised by its own tool', async () => {
  const plan = await drive.plan(NODES);
  const other = await drive.propose();
  const param = { workspaceId: WORKSPACE };
  const { plans, orchestrations } = world.as(PERSON);
  const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
  expect(ids(await unwrap(plans.$get({ param, query: {} })))).toEqual([plan.id]);
  expect(ids(await unwrap(orchestrations.$get({ param, query: {} })))).toEqual([other.id, plan.id]);
  const query = { kind: 'orchestration' } as const;
  expect(ids(await unwrap(orchestrations.$get({ param, query })))).toEqual([other.id]);
  expect((await faultOf(drive.planOf(other.id))).code).toBe('not_found');
  const wrongTool = await faultOf(drive.propose({ orchestrationId: plan.id }));
  expect([wrongTool.code, wrongTool.message]).toEqual([
    'invalid_request',
    expect.stringContaining('submit_plan'),
  ]);
  expect((await faultOf(drive.plan(NODES, { planId: other.id }))).code).toBe('invalid_request');
});

const FAULTY: [string, unknown, [string, string][]][] = [
  ['a cycle', [nodeOf('a', 'b'), nodeOf('b', 'a')], [['nodes[1].needs[0]', 'cycle']]],
  ['a need of itself', [nodeOf('a', 'a')], [['nodes[0].needs[0]', 'self_dependency']]],
  ['a dangling need', [nodeOf('a', 'ghost')], [['nodes[0].needs[0]', 'unknown_key']]],
  ['a key twice', [nodeOf('a'), nodeOf('a')], [['nodes[1].key', 'duplicate_key']]],
  [
    'keys that differ only in case',
    [nodeOf('a'), nodeOf('A')],
    [
      ['nodes[1].key', 'case_collision'],
      ['nodes[1].key', 'invalid'],
    ],
  ],
  ['what is no list', 'all of it', [['nodes', 'invalid']]],
];

for (const [what, nodes, expected] of FAULTY) {
  test(`refuses ${what}, named by path, and writes nothing`, async () => {
    const fault = await faultOf(drive.plan(nodes));
    expect(fault.code).toBe('invalid_proposal');
    const faults = fault.detail.faults as { path: string; code: string }[];
    expect(faults.map(({ path, code }) => [path, code])).toEqual(expected);
    expect(await world.events()).toEqual([]);
    expect(world.spaces.tickets).toEqual([]);
  });
}

test('a person’s plan is done by the first agent of the space, and refused where there is none', async () => {
  const { proposal } = await drive.detail((await drive.plan(NODES, {}, PERSON)).id);
  expect(proposal.roles.map(({ agent }) => agent)).toEqual([{ existing: 'ceo' }]);
  world.spaces.spaces[0]!.agents = [];
  expect((await faultOf(drive.plan(NODES, {}, PERSON))).code).toBe('invalid_request');
});

test('from the submitted plan over a person’s edit and approval to the deliverable, the space returned once', async () => {
  const { id } = await drive.plan(NODES);
  expect((await drive.revise(id, 1, await edited(id, 'Read it all'))).revision).toBe(2);
  const stale = await faultOf(drive.plan(NODES, { planId: id, baseRevision: 1 }));
  expect([stale.code, stale.status]).toEqual(['stale_revision', 409]);
  expect((await faultOf(drive.approve(id, 1))).code).toBe('stale_revision');
  expect(spaceChanges()).toEqual([]);
  await drive.approve(id, 2);
  const done = await drive.ended(id, 'completed');
  expect(done).toMatchObject({ deliverable: '# The whole', spaceReturned: true, approvedRevision: 2 });
  expect(done.steps.map(({ key, state }) => [key, state])).toEqual(
    ['start', 'ticket/read', 'ticket/mend', 'ticket/check', 'collect', 'synthesis', 'deliver'].map((key) => [
      key,
      'done',
    ]),
  );
  expect(new Set(world.runs.runs.map((run) => run.agentId))).toEqual(new Set([actorId(world.agent)]));
  expect(world.runs.runOf('ticket/mend').prompt).toContain('Read it all');
  expect(spaceChanges()).toEqual([{ spaceId: world.spaceId, mode: 'chat' }]);
  expect(world.spaces.agents).toHaveLength(2);
  expect(card()).toMatchObject({
    body: expect.stringContaining('**Plan: Completed** · revision 2'),
    data: { planId: id, status: 'completed', approvedRevision: 2, nodes: 3 },
  });
  expect(await drive.planOf(id)).toMatchObject({
    status: 'completed',
    nodes: [{ title: 'Read it all' }, {}, {}],
  });
  expect(world.errors).toEqual([]);
});

test('an approval in the inbox does the same', async () => {
  const { id, approvalId } = await drive.plan(NODES);
  await world.spaces.decideApproval(PERSON, String(approvalId), { decision: 'approved' });
  await drive.ended(id, 'completed');
  expect(spaceChanges()).toEqual([{ spaceId: world.spaceId, mode: 'chat' }]);
});

test('a save and an approval without the revision that was seen are refused', async () => {
  const { id } = await drive.plan(NODES);
  const { proposal } = await drive.detail(id);
  const at = { param: { workspaceId: WORKSPACE, id } };
  const one = world.as(PERSON).orchestrations[':id'];
  // Sent as a client without the field sends them.
  const save = one.revisions.$post({
    ...at,
    json: { proposal } as { proposal: unknown; baseRevision: number },
  });
  expect((await faultOf(unwrap(save))).code).toBe('invalid_request');
  const approve = one.approve.$post({ ...at, json: {} as { revision: number } });
  expect((await faultOf(unwrap(approve))).code).toBe('invalid_request');
  expect(await drive.detail(id)).toMatchObject({ revision: 1, status: 'proposed' });
});

test('rollback to 1 at revision 5 makes 6, with the nodes and the budget of 1', async () => {
  const { id } = await drive.plan(NODES);
  for (let base = 1; base < 4; base++) await drive.revise(id, base, await edited(id, `Title ${base + 1}`));
  await drive.plan([nodeOf('other')], { planId: id, budgetMicros: 7_000_000 });
  expect(await drive.planOf(id)).toMatchObject({ revision: 5, budgetIsDefault: false });
  expect((await drive.rollBack(id, 5, 1)).revision).toBe(6);
  expect(await drive.planOf(id)).toMatchObject({
    ...{ revision: 6, nodes: NODES, budgetMicros: 5_000_000, budgetIsDefault: true },
  });
  expect((await drive.revisions(id)).at(-1)).toMatchObject({ origin: 'rolledBack', rolledBackTo: 1 });
});

test('people edit a plan by the rules of proposals', async () => {
  const { id } = await drive.plan(NODES);
  const other = compilePlan({ goal: 'Other', nodes: NODES, agent: 'engineer', budgetMicros: 1 });
  const fault = await faultOf(drive.revise(id, 1, other));
  const paths = (fault.detail.faults as { path: string }[]).map(({ path }) => path);
  expect(paths).toEqual(['goal', 'roles', 'budgetMicros']);
});

test('a plan whose agent is gone cannot be approved', async () => {
  const { id } = await drive.plan(NODES);
  world.spaces.agents.shift();
  expect((await faultOf(drive.approve(id))).code).toBe('conflict');
  expect(await drive.detail(id)).toMatchObject({ status: 'proposed' });
});
