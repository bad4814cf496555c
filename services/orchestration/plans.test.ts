import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { compilePlan } from '../../core-wasm/core.ts';
import { actorId } from '../kit/actor.ts';
import { Fault } from '../kit/fault.ts';
import { unwrap } from '../kit/peer.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import { nodeOf, OTHER_PERSON, PERSON, WORKSPACE, World } from './doubles/world.ts';

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

async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const error: unknown = await call.then(
    () => new Error('expected a fault'),
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw error;
}

const spaceMode = () => world.spaces.spaces.find((space) => space.id === world.spaceId)?.mode;
const spaceChanges = () => world.spaces.modeChanges.filter(({ spaceId }) => spaceId === world.spaceId);
const card = () => world.spaces.messages.find((message) => message.kind === 'plan')!;
const returned = (id: string) =>
  world.until('the space is returned', async () => (await drive.detail(id)).spaceReturned);

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

for (const kind of ['plan', 'orchestration'] as const) {
  const submit = (over: { key?: string; revise?: string } = {}) => {
    const { revise, ...rest } = over;
    return kind === 'plan'
      ? drive.plan(NODES, { ...rest, ...(revise ? { planId: revise } : {}) })
      : drive.propose({ ...rest, ...(revise ? { orchestrationId: revise } : {}) });
  };

  test(`changes asked of ${kind === 'plan' ? 'a plan' : 'an orchestration'}: nothing can be approved until its author revised it, at once and once`, async () => {
    const { id } = await submit();
    expect((await submit({ revise: id })).revision).toBe(2);
    const { approvalId } = await drive.detail(id);
    expect((await faultOf(drive.requestChanges(id, 'Smaller', 2, world.agent))).code).toBe('people_only');
    expect((await faultOf(drive.requestChanges(id, 'Smaller', 1))).code).toBe('stale_revision');
    const back = await drive.requestChanges(id, 'Smaller', 2);
    expect(back).toMatchObject({
      ...{ status: 'proposed', changesRequestedRevision: 2, changesRequestedReason: 'Smaller' },
    });
    expect(await world.spaces.getApproval(String(approvalId))).toMatchObject({
      ...{ status: 'refused', decidedBy: PERSON, decision: { reason: 'Smaller', changesRequested: true } },
    });
    const message = () => world.spaces.messages.find(({ id: messageId }) => messageId === back.messageId)!;
    await world.until('the card says so', () => message().body.includes('changes requested'));
    expect(message().body).toContain('Asked for: Smaller');
    expect((await faultOf(drive.approve(id, 2))).code).toBe('already_decided');
    expect((await faultOf(drive.requestChanges(id, 'Again', 2))).code).toBe('already_decided');
    expect(world.spaces.approvals.filter(({ status }) => status === 'pending')).toEqual([]);
    const revised = await submit({ revise: id });
    expect(revised).toMatchObject({
      revision: 3,
      changesRequestedRevision: null,
      changesRequestedReason: null,
    });
    expect(message().body).toContain('waiting for approval');
    expect(message().body).not.toContain('Smaller');
    expect((await faultOf(submit({ revise: id }))).code).toBe('too_soon');
    expect((await drive.approve(id, 3)).approvedRevision).toBe(3);
    await drive.ended(id, 'completed');
    const events = (await world.events('orchestration.changesRequested')).map(({ data }) => data);
    expect(events).toEqual([{ status: 'proposed', revision: 2, reason: 'Smaller' }]);
  });
}

test('a card that could not be changed says after the next start that changes were asked for', async () => {
  const { id } = await drive.plan(NODES);
  const patch = world.spaces.patchMessage.bind(world.spaces);
  world.spaces.patchMessage = () =>
    Promise.reject(new Fault('unavailable', 'The service cannot be reached.'));
  await drive.requestChanges(id, 'Smaller');
  await world.handled('approval.decided');
  await world.drop();
  world.spaces.patchMessage = patch;
  await world.live();
  await world.until('the card says so', () => card().body.includes('Asked for: Smaller'));
});

test('changes asked for in the inbox hold as well, also for a revision that comes before their event is handled', async () => {
  const { id } = await drive.plan(NODES);
  await drive.plan(NODES, { planId: id });
  const { approvalId } = await drive.detail(id);
  await world.drop();
  await world.spaces.decideApproval(PERSON, String(approvalId), {
    ...{ decision: 'changesRequested', reason: 'Bolder' },
  });
  await world.live();
  const [revised] = await Promise.all([
    drive.plan([nodeOf('bold')], { planId: id }),
    world.handled('approval.decided'),
  ]);
  expect(revised.revision).toBe(3);
  expect(await drive.detail(id)).toMatchObject({ status: 'proposed', changesRequestedRevision: null });
  expect(world.spaces.approvals.map(({ status }) => status)).toEqual(['superseded', 'refused', 'pending']);
  await drive.approve(id, 3);
  await drive.ended(id, 'completed');
});

for (const [what, act] of [
  ['a person’s edit', (id: string) => edited(id, 'Mine').then((proposal) => drive.revise(id, 1, proposal))],
  ['a rollback', (id: string) => drive.rollBack(id, 1, 1)],
] as const) {
  test(`${what} answers the request for changes and can be approved`, async () => {
    const { id } = await drive.plan(NODES);
    await drive.requestChanges(id, 'Other titles');
    expect(await act(id)).toMatchObject({ revision: 2, changesRequestedRevision: null });
    await drive.approve(id, 2);
    await drive.ended(id, 'completed');
  });
}

test('what was sent back can still be rejected or cancelled', async () => {
  const first = await drive.plan(NODES);
  await drive.requestChanges(first.id, 'Smaller');
  await drive.reject(first.id, 'Not at all');
  expect((await drive.ended(first.id, 'cancelled')).failure).toEqual({
    ...{ code: 'rejected', message: 'Not at all' },
  });
  const second = await drive.plan(NODES);
  await drive.requestChanges(second.id, 'Smaller');
  await drive.cancel(second.id);
  await drive.ended(second.id, 'cancelled');
  expect(world.spaces.approvals.filter(({ status }) => status === 'pending')).toEqual([]);
  expect(world.spaces.tickets.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  expect(spaceMode()).toBe('plan');
});

test('of an approval and a request for changes at once one wins', async () => {
  const { id } = await drive.plan(NODES);
  const both = await Promise.allSettled([
    drive.approve(id, 1),
    drive.requestChanges(id, 'No', 1, OTHER_PERSON),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { status, changesRequestedRevision } = await drive.detail(id);
  if (both[0]?.status === 'fulfilled') expect(changesRequestedRevision).toBeNull();
  else expect([status, changesRequestedRevision]).toEqual(['proposed', 1]);
});

test('a space that is not in plan mode stays as it is, and so does one that a person puts back later', async () => {
  world.spaces.changeMode(world.spaceId, 'orchestrate');
  const first = await drive.plan(NODES);
  await drive.approve(first.id);
  await returned(first.id);
  expect(spaceMode()).toBe('orchestrate');
  world.spaces.changeMode(world.spaceId, 'plan');
  const second = await drive.plan(NODES);
  await drive.approve(second.id);
  await returned(second.id);
  expect(spaceMode()).toBe('chat');
  world.spaces.changeMode(world.spaceId, 'plan');
  await drive.ended(second.id, 'completed');
  await world.drop();
  await world.live();
  expect(spaceMode()).toBe('plan');
});

/** Lets the change of the space's mode go wrong, once, as `how` says. */
function failOnce(how: (change: () => Promise<void>) => Promise<void>): void {
  const change = world.spaces.setSpaceMode.bind(world.spaces);
  world.spaces.setSpaceMode = async (id, input) => {
    world.spaces.setSpaceMode = change;
    await how(() => change(id, input));
  };
}

test('a person’s choice after a change whose answer was lost is not overwritten', async () => {
  const { id } = await drive.plan(NODES);
  failOnce(async (change) => {
    await change();
    world.spaces.changeMode(world.spaceId, 'plan');
    throw new Fault('unavailable', 'The answer was lost.');
  });
  await drive.approve(id);
  await returned(id);
  expect(spaceMode()).toBe('plan');
  await drive.ended(id, 'completed');
});

test('a change that never arrived is made again, also when the space was renamed meanwhile', async () => {
  const { id } = await drive.plan(NODES);
  const space = world.spaces.spaces.find((known) => known.id === world.spaceId)!;
  failOnce(async () => {
    space.version += 1;
    throw new Fault('unavailable', 'The service cannot be reached.');
  });
  await drive.approve(id);
  await returned(id);
  expect(spaceChanges()).toEqual([{ spaceId: world.spaceId, mode: 'chat' }]);
  await drive.ended(id, 'completed');
});

test('a space that cannot be changed does not hold up the work', async () => {
  const { id } = await drive.plan(NODES);
  world.spaces.setSpaceMode = () => Promise.reject(new Fault('forbidden', 'Not for services.'));
  await drive.approve(id);
  await drive.ended(id, 'completed');
  const said = new Set(world.errors.map((error) => (error as { msg: string }).msg));
  expect(said).toEqual(new Set(['the space of an approved plan stays in plan mode']));
  expect((await drive.detail(id)).spaceReturned).toBe(false);
});

test('a plan whose agent is gone cannot be approved', async () => {
  const { id } = await drive.plan(NODES);
  world.spaces.agents.shift();
  expect((await faultOf(drive.approve(id))).code).toBe('conflict');
  expect(await drive.detail(id)).toMatchObject({ status: 'proposed' });
});
