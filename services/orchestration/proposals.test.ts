import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import type { Fault } from '../kit/fault.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import { faultOf } from './doubles/fault-of.ts';
import { OTHER_PERSON, PERSON, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
let drive: Driver;
beforeEach(async () => {
  world = await World.create();
  await world.live();
  drive = driverOf(world);
});
afterEach(() => world.end());

function ticket(key: string, needs: string[] = [], role = 'lead'): ProposedTicket {
  return {
    key,
    title: `Ticket ${key}`,
    description: 'Do it',
    role,
    needs,
    outputSchema: null,
    references: [],
  };
}

const INVALID: [string, unknown, string[]][] = [
  [
    'a cycle of three',
    proposalOf({ tickets: [ticket('a', ['c']), ticket('b', ['a']), ticket('c', ['b'])] }),
    ['cycle'],
  ],
  ['a need of itself', proposalOf({ tickets: [ticket('a', ['a'])] }), ['self_dependency']],
  ['an unknown need', proposalOf({ tickets: [ticket('a', ['ghost'])] }), ['unknown_key']],
  ['an unknown role', proposalOf({ tickets: [ticket('a', [], 'ghost')] }), ['unknown_role']],
  ['a key twice', proposalOf({ tickets: [ticket('a'), ticket('a')] }), ['duplicate_key']],
  ['nothing to do', proposalOf({ tickets: [] }), ['empty']],
  [
    'an agent that is not there',
    proposalOf({
      roles: [{ key: 'lead', title: 'L', agent: { existing: 'ghost' } }],
      tickets: [ticket('a')],
    }),
    ['unknown_agent'],
  ],
  [
    'a hire whose name is taken',
    proposalOf({
      roles: [{ key: 'lead', title: 'L', agent: { hire: { name: 'ceo', persona: 'P', skills: [] } } }],
      tickets: [ticket('a')],
    }),
    ['agent_exists'],
  ],
  [
    'two faults at once',
    proposalOf({ tickets: [ticket('a', ['ghost']), ticket('b', [], 'nobody')] }),
    ['unknown_key', 'unknown_role'],
  ],
];
for (const [what, proposal, codes] of INVALID) {
  test(`refuses ${what}, named by path, and writes nothing`, async () => {
    const fault = await faultOf(drive.propose({ proposal }));
    expect(fault.code).toBe('invalid_proposal');
    const faults = fault.detail.faults as { path: string; code: string; message: string }[];
    expect(faults.map((one) => one.code)).toEqual(expect.arrayContaining(codes));
    expect(faults.every((one) => one.path !== '' && one.message !== '')).toBe(true);
    expect(await world.events()).toEqual([]);
    expect(world.spaces.tickets).toEqual([]);
  });
}

test('gives the same orchestration for the same key, also to two calls at once', async () => {
  const [first, second] = await Promise.all([drive.propose({ key: 'k' }), drive.propose({ key: 'k' })]);
  expect(second.id).toBe(first.id);
  expect((await drive.propose({ key: 'k' })).id).toBe(first.id);
  expect(await world.events('orchestration.proposed')).toHaveLength(1);
  expect(world.spaces.messages).toHaveLength(1);
});

test('refuses a conversation of another space', async () => {
  const other = await world.spaces.createSpace({
    key: 'other',
    name: 'Other',
    mode: 'chat',
    repositories: [],
    agents: [],
  });
  world.conversationId = other.mainConversationId;
  expect((await faultOf(drive.propose())).code).toBe('invalid_request');
});

test('a person edits what may be edited, as a new revision with an approval of its own', async () => {
  const { id, approvalId } = await drive.propose();
  const edited = proposalOf();
  Object.assign(edited.tickets[0]!, {
    title: 'Better',
    description: 'Other',
    role: 'tester',
    outputSchema: { type: 'object' },
  });
  edited.tickets.pop();
  const revised = await drive.revise(id, 1, edited);
  expect(revised).toMatchObject({ revision: 2, status: 'proposed' });
  expect(revised.approvalId).not.toBe(approvalId);
  expect(world.spaces.approvals.map((one) => one.status)).toEqual(['superseded', 'pending']);
  expect(world.spaces.messages).toMatchObject([{ data: { revision: 2 } }]);
  expect(
    (await drive.revisions(id)).map(({ revision, author, origin }) => [revision, author, origin]),
  ).toEqual([
    [1, world.agent, 'proposed'],
    [2, PERSON, 'edited'],
  ]);
});

const READ_ONLY: [string, Partial<Proposal>, string][] = [
  ['the goal', { goal: 'Other' }, 'goal'],
  ['the budget', { budgetMicros: 9_000_000 }, 'budgetMicros'],
  ['research', { research: null }, 'research'],
  ['the discussion', { discussion: { question: 'Other?' } }, 'discussion'],
  ['synthesis', { synthesis: { role: 'tester', brief: 'Other' } }, 'synthesis'],
  [
    'a role’s agent',
    { roles: [{ key: 'lead', title: 'Lead', agent: { existing: 'ceo' } }, proposalOf().roles[1]!] },
    'roles',
  ],
  ['a new sub-ticket', { tickets: [...proposalOf().tickets, ticket('extra')] }, 'tickets[2].key'],
  ['the order of sub-tickets', { tickets: proposalOf().tickets.toReversed() }, 'tickets'],
  [
    'references',
    {
      tickets: [
        { ...proposalOf().tickets[0]!, references: [{ kind: 'file', value: 'x' }] },
        proposalOf().tickets[1]!,
      ],
    },
    'tickets[0].references',
  ],
];
for (const [what, over, path] of READ_ONLY) {
  test(`refuses an edit of ${what}`, async () => {
    const { id } = await drive.propose();
    const fault = await faultOf(drive.revise(id, 1, proposalOf(over)));
    expect(fault.detail.faults).toMatchObject([{ path, code: 'read_only' }]);
    expect((await drive.detail(id)).revision).toBe(1);
  });
}

test('refuses a cycle made by an edit', async () => {
  const { id } = await drive.propose();
  const edited = proposalOf();
  edited.tickets[0]!.needs = ['test'];
  const fault = await faultOf(drive.revise(id, 1, edited));
  expect(fault.detail.faults).toMatchObject([{ code: 'cycle' }]);
});

test('refuses a stale edit with "the plan moved on", and of two at once keeps one', async () => {
  const { id } = await drive.propose();
  await drive.revise(id, 1, proposalOf());
  const stale = await faultOf(drive.revise(id, 1, proposalOf(), OTHER_PERSON));
  expect(stale).toMatchObject({ code: 'stale_revision', detail: { baseRevision: 1, revision: 2 } });
  expect(stale.message).toContain('The plan moved on');
  const both = await Promise.allSettled([
    drive.revise(id, 2, proposalOf()),
    drive.revise(id, 2, proposalOf(), OTHER_PERSON),
  ]);
  expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await drive.detail(id)).revision).toBe(3);
});

test('each revision is there by its number, with who made it, when and how', async () => {
  const { id } = await drive.propose();
  const edited = proposalOf();
  edited.tickets[0]!.title = 'Mine';
  await drive.revise(id, 1, edited);
  await drive.rollBack(id, 2, 1, OTHER_PERSON);
  const all = await drive.revisions(id);
  for (const one of all) expect(await drive.revision(id, String(one.revision))).toEqual(one);
  expect<unknown>(await drive.revision(id, '3')).toEqual({
    ...{ orchestrationId: id, revision: 3, author: OTHER_PERSON, origin: 'rolledBack', rolledBackTo: 1 },
    ...{ proposal: proposalOf(), createdAt: world.nowMs },
  });
  expect((await faultOf(drive.revision(id, '4'))).code).toBe('not_found');
  expect((await faultOf(drive.revision('orc_none', '1'))).code).toBe('not_found');
  for (const none of ['0', 'last', '1.5', '-1', '1e400'])
    expect((await faultOf(drive.revision(id, none))).code).toBe('not_found');
});

test('rollback appends the old proposal as the newest revision', async () => {
  const { id } = await drive.propose();
  for (let base = 1; base < 5; base++) {
    const edited = proposalOf();
    edited.tickets[0]!.title = `Title ${base + 1}`;
    await drive.revise(id, base, edited);
  }
  expect((await drive.rollBack(id, 5, 1)).revision).toBe(6);
  expect((await drive.detail(id)).proposal.tickets[0]?.title).toBe('Make the API');
  expect((await drive.revisions(id)).at(-1)).toMatchObject({
    revision: 6,
    origin: 'rolledBack',
    rolledBackTo: 1,
  });
  expect((await faultOf(drive.rollBack(id, 5, 2))).code).toBe('stale_revision');
  expect((await faultOf(drive.rollBack(id, 6, 7))).code).toBe('not_found');
});

test('holds an agent to one revision in two minutes, a person to none', async () => {
  const { id } = await drive.propose();
  const revision = { orchestrationId: id };
  expect((await drive.propose({ ...revision, key: 'r2' })).revision).toBe(2);
  world.nowMs += 30_000;
  const fault = await faultOf(drive.propose({ ...revision, key: 'r3' }));
  expect(fault).toMatchObject({ code: 'too_soon', detail: { secondsLeft: 90 } });
  expect(fault.message).toContain('Group your changes');
  expect((await drive.propose({ ...revision, key: 'r2' })).revision).toBe(2);
  expect((await drive.propose(revision, PERSON)).revision).toBe(3);
  world.nowMs += 90_000;
  expect((await drive.propose({ ...revision, key: 'r4' })).revision).toBe(4);
});

test('lets no other agent revise a proposal, and nobody once it is decided', async () => {
  const { id } = await drive.propose();
  expect((await faultOf(drive.propose({ orchestrationId: id }, 'agent:agt_other'))).code).toBe('forbidden');
  await drive.reject(id, 'No');
  expect((await faultOf(drive.propose({ orchestrationId: id }))).code).toBe('wrong_status');
  expect((await faultOf(drive.revise(id, 1, proposalOf()))).code).toBe('wrong_status');
});

test('only a person approves, and only the newest revision', async () => {
  const { id } = await drive.propose();
  expect((await faultOf(drive.approve(id, 1, world.agent))).code).toBe('people_only');
  expect((await faultOf(drive.approve(id, 1, 'service:runs'))).code).toBe('people_only');
  await drive.revise(id, 1, proposalOf());
  expect((await faultOf(drive.approve(id, 1))).code).toBe('stale_revision');
  expect((await drive.detail(id)).status).toBe('proposed');
  expect(await drive.approve(id, 2)).toMatchObject({ approvedRevision: 2 });
});

test('of several people who decide at once one wins, and the work is set up once', async () => {
  const { id } = await drive.propose();
  const all = await Promise.allSettled(
    [1, 2, 3, 4].map((n) => drive.approve(id, 1, n % 2 ? PERSON : OTHER_PERSON)),
  );
  const lost = all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Fault).code] : []));
  expect(lost).toEqual(Array(3).fill('already_decided'));
  await drive.ended(id, 'completed');
  expect(world.spaces.agents.filter((agent) => agent.name === 'tess')).toHaveLength(1);
});

test('an approval in the inbox is one as well; one that an agent asked for itself is not', async () => {
  const { id, approvalId } = await drive.propose();
  const forged = await world.spaces.createApproval({
    ...{ key: 'forged', kind: 'orchestration', requester: world.agent, subject: 'May I?', runId: null },
    ...{
      arguments: { orchestrationId: id, revision: 1 },
      spaceId: world.spaceId,
      conversationId: world.conversationId,
    },
  });
  await world.spaces.decideApproval(PERSON, forged.id, { decision: 'approved' });
  await world.handled('approval.decided');
  expect((await drive.detail(id)).status).toBe('proposed');
  await world.spaces.decideApproval(PERSON, String(approvalId), { decision: 'approved' });
  await drive.ended(id, 'completed');
});

test('a refusal ends it with the reason', async () => {
  const { id } = await drive.propose();
  await drive.reject(id, 'Too large');
  const ended = await drive.ended(id, 'cancelled');
  expect(ended.failure).toEqual({ code: 'rejected', message: 'Too large' });
  expect(world.spaces.tickets).toMatchObject([{ status: 'cancelled' }]);
  expect(world.spaces.agents).toHaveLength(2);
});

test('whatever people do at once, the revision log only grows, by one, and each revision keeps its proposal', async () => {
  const action = fc.record({
    base: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom('edit', 'rollback', 'agent'),
    title: fc.stringMatching(/^[a-z]{1,8}$/),
    to: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
      async (rounds) => {
        const { id } = await drive.propose();
        let before = await drive.revisions(id);
        for (const round of rounds) {
          world.nowMs += 60_000;
          const done = await Promise.allSettled(round.map((one) => perform(id, one)));
          const after = await drive.revisions(id);
          expect(after.map((one) => one.revision)).toEqual(after.map((_, i) => i + 1));
          expect(after.slice(0, before.length)).toEqual(before);
          expect(after.length - before.length).toBe(done.filter((one) => one.status === 'fulfilled').length);
          before = after;
        }
      },
    ),
    { numRuns: 8 },
  );
}, 60_000);

function perform(
  id: string,
  one: { base: number; kind: string; title: string; to: number },
): Promise<unknown> {
  const proposal = proposalOf();
  proposal.tickets[0]!.title = one.title;
  if (one.kind === 'edit') return drive.revise(id, one.base, proposal);
  if (one.kind === 'rollback') return drive.rollBack(id, one.base, one.to);
  return drive.propose({ proposal, orchestrationId: id, baseRevision: one.base });
}
