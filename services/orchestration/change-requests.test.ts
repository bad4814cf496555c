import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { Fault } from '../kit/fault.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import { faultOf } from './doubles/fault-of.ts';
import { nodeOf, OTHER_PERSON, PERSON, World } from './doubles/world.ts';

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
const spaceMode = () => world.spaces.spaces.find((space) => space.id === world.spaceId)?.mode;
const card = () => world.spaces.messages.find((message) => message.kind === 'plan')!;

/** What a person's editor sends after it loaded the plan. */
async function edited(id: string, title: string) {
  const { proposal } = await drive.detail(id);
  proposal.tickets[0]!.title = title;
  return proposal;
}

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
