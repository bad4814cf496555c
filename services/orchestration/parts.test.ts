import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { type ProposedTicket, partOf } from '../../core-wasm/core.ts';
import { Fault } from '../kit/fault.ts';
import { driverOf } from './doubles/driver.ts';
import { faultOf } from './doubles/fault-of.ts';
import type { Script } from './doubles/memory-runs.ts';
import { answerScript, nodeOf, OTHER_PERSON, PERSON, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
afterEach(() => world.end());

const ticketOf = (key: string, ...needs: string[]): ProposedTicket => {
  return { ...proposalOf().tickets[0]!, key, title: `Ticket ${key}`, needs };
};

/** `b` after `a`, `c` after `b`, `d` by itself. */
const TICKETS = [ticketOf('a'), ticketOf('b', 'a'), ticketOf('c', 'b'), ticketOf('d')];

async function begin(script: Script = answerScript(), tickets = TICKETS) {
  world = await World.create({ script, repository: true });
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose({ proposal: proposalOf({ tickets }) });
  return { drive, id };
}

const asked = () =>
  world.runs.runs.map((run) => world.runs.stepOf(run)).filter((key) => key.startsWith('ticket/'));
const card = () => world.spaces.messages.find(({ kind }) => kind === 'proposal')!;
const ticketStatus = (key: string) => world.spaces.ticketTitled(`Ticket ${key}`).status;
const until = (what: string, holds: () => boolean) => world.until(what, holds);

test('what is approved is done, the rest waits behind gates until a later approval opens them', async () => {
  const { drive, id } = await begin();
  expect(await drive.approvePart(id, 'a', 'd')).toMatchObject({ status: 'approved', deferred: ['b', 'c'] });
  await drive.stepIs(id, 'ticket/d', 'done');
  await drive.stepIs(id, 'gate/b', 'waiting');
  const detail = await drive.detail(id);
  expect(detail).toMatchObject({ status: 'executing', deferred: ['b', 'c'], leftOut: [] });
  const gate = detail.steps.find(({ key }) => key === 'gate/b');
  expect(gate).toMatchObject({
    ...{ kind: 'gate', title: 'Approval of Ticket b', role: null, runId: null, needs: ['ticket/a'] },
  });
  expect(await drive.stateOf(id, 'gate/c')).toBe('blocked');
  expect(asked().sort()).toEqual(['ticket/a', 'ticket/d']);
  expect(['a', 'b', 'c', 'd'].map(ticketStatus)).toEqual(['done', 'backlog', 'backlog', 'done']);
  expect(card()).toMatchObject({ data: { deferred: 2 }, body: expect.stringContaining('2 deferred') });
  expect(await drive.approveDeferred(id, ['b'])).toMatchObject({ status: 'executing', deferred: ['c'] });
  await drive.stepIs(id, 'ticket/b', 'done');
  await until('the card follows', () => card().data.deferred === 1);
  await drive.stepIs(id, 'gate/c', 'waiting');
  expect(asked()).not.toContain('ticket/c');
  await drive.approveDeferred(id, ['c']);
  const done = await drive.ended(id, 'completed');
  expect(done).toMatchObject({ deferred: [], gaps: [], deliverable: '# The whole' });
  expect(card()).toMatchObject({ data: { status: 'completed', deferred: 0 } });
  expect(world.runs.runOf('ticket/c').worktree?.merge).toHaveLength(1);
  expect(world.errors).toEqual([]);
  const events = await world.events();
  const data = (type: string) =>
    events.filter((one) => one.type === `orchestration.${type}`).map((one) => one.data);
  expect(data('approved')).toEqual([{ status: 'approved', revision: 1, deferred: ['b', 'c'] }]);
  expect(data('deferredApproved')).toEqual([{ tickets: ['b'] }, { tickets: ['c'] }]);
});

test('an approval of all tickets by name, or of none by name, is one of the whole', async () => {
  const { drive, id } = await begin();
  expect((await drive.approvePart(id, 'd', 'c', 'b', 'a')).deferred).toEqual([]);
  const done = await drive.ended(id, 'completed');
  expect(done.steps.some(({ kind }) => kind === 'gate')).toBe(false);
  expect(world.spaces.approvals.map(({ decision }) => decision?.answer)).toEqual([undefined]);
});

test('a part without what it depends on is refused by name, and nothing is decided', async () => {
  const { drive, id } = await begin();
  const missing = await faultOf(drive.approvePart(id, 'c', 'd'));
  expect(missing).toMatchObject({ code: 'invalid_request', detail: { missing: ['a', 'b'] } });
  expect(missing.message).toContain('approve a, b with them');
  const unknown = await faultOf(drive.approvePart(id, 'a', 'ghost'));
  expect(unknown).toMatchObject({ code: 'invalid_request', detail: { unknown: ['ghost'] } });
  expect((await faultOf(drive.approvePart(id))).code).toBe('invalid_request');
  expect((await faultOf(drive.approve(id, 1, world.agent, ['a']))).code).toBe('people_only');
  expect((await faultOf(drive.approve(id, 2, PERSON, ['a']))).code).toBe('stale_revision');
  expect(await drive.detail(id)).toMatchObject({ status: 'proposed', deferred: [] });
  expect(world.spaces.approvals.map(({ status }) => status)).toEqual(['pending']);
});

test('what was deferred is approved by people, once, with all that it depends on', async () => {
  const { drive, id } = await begin();
  expect((await faultOf(drive.approveDeferred(id, ['b']))).code).toBe('wrong_status');
  await drive.approvePart(id, 'a');
  expect((await faultOf(drive.approveDeferred(id, ['b'], world.agent))).code).toBe('people_only');
  expect((await faultOf(drive.approveDeferred(id, ['c']))).detail).toEqual({ missing: ['b'] });
  expect((await faultOf(drive.approveDeferred(id, ['ghost']))).detail).toEqual({ unknown: ['ghost'] });
  expect((await faultOf(drive.approveDeferred(id, []))).code).toBe('invalid_request');
  expect(await faultOf(drive.approveDeferred(id, ['a', 'b']))).toMatchObject({
    ...{ code: 'already_decided', detail: { decided: ['a'], deferred: ['b', 'c', 'd'] } },
  });
  expect((await drive.approveDeferred(id, ['c', 'b', 'd'])).deferred).toEqual([]);
  expect((await faultOf(drive.approveDeferred(id, ['b']))).code).toBe('already_decided');
  await drive.ended(id, 'completed');
  expect((await faultOf(drive.approveDeferred(id, ['b']))).code).toBe('wrong_status');
});

test('of people who open at once, each ticket has one winner, and all of it is opened', async () => {
  const { drive, id } = await begin();
  await drive.approvePart(id, 'a');
  const all = await Promise.allSettled([
    drive.approveDeferred(id, ['d']),
    drive.approveDeferred(id, ['b'], OTHER_PERSON),
    drive.approveDeferred(id, ['b'], PERSON),
    drive.approveDeferred(id, ['b', 'c'], OTHER_PERSON),
  ]);
  expect(all[0].status).toBe('fulfilled');
  expect(all.slice(1).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { deferred } = await drive.detail(id);
  if (deferred.length > 0) await drive.approveDeferred(id, deferred);
  await drive.ended(id, 'completed');
  expect(asked().sort()).toEqual(['ticket/a', 'ticket/b', 'ticket/c', 'ticket/d']);
});

for (const step of ['gate/b', 'ticket/b']) {
  test(`a deferred ticket is left out by ${step}: an explicit entry, and what needs it goes on without once it is opened`, async () => {
    const { drive, id } = await begin(answerScript({ 'ticket/a': 'hold' }));
    await drive.approvePart(id, 'a', 'd');
    await drive.stepIs(id, 'ticket/a', 'waiting');
    await expect(drive.skip(id, step, world.agent)).rejects.toMatchObject({ code: 'people_only' });
    expect(await drive.skip(id, step)).toMatchObject({ deferred: ['c'], leftOut: ['b'] });
    await expect(drive.approveDeferred(id, ['b'])).rejects.toMatchObject({ code: 'already_decided' });
    await expect(drive.skip(id, 'gate/b')).rejects.toMatchObject({ code: 'wrong_status' });
    await drive.approveDeferred(id, ['c']);
    expect(asked().sort()).toEqual(['ticket/a', 'ticket/d']);
    await world.runs.end(world.runs.runOf('ticket/a'), { text: 'at last' });
    const done = await drive.ended(id, 'completed');
    const stepB = done.steps.find(({ key }) => key === 'ticket/b');
    expect(stepB).toMatchObject({ state: 'skipped', error: 'Left out by a person.', runId: null });
    expect(asked()).not.toContain('ticket/b');
    expect(world.runs.runOf('ticket/c').prompt).toContain('There is no result: the step was skipped.');
    expect(world.runs.runOf('synthesis').prompt).toContain(
      '### FAILED: ticket/b (Ticket b)\n\nLeft out by a person.',
    );
    expect(done.gaps).toEqual(['ticket/b (Ticket b): Left out by a person.']);
    expect(ticketStatus('b')).toBe('cancelled');
    expect(world.errors).toEqual([]);
  });
}

test('a gate that is open cannot be skipped, nor a ticket that runs', async () => {
  const { drive, id } = await begin(answerScript({ 'ticket/b': 'hold' }));
  await drive.approvePart(id, 'a', 'd');
  await drive.approveDeferred(id, ['b', 'c']);
  await drive.stepIs(id, 'ticket/b', 'waiting');
  await expect(drive.skip(id, 'gate/b')).rejects.toMatchObject({ code: 'wrong_status' });
  await expect(drive.skip(id, 'ticket/b')).rejects.toMatchObject({ code: 'wrong_status' });
  await expect(drive.retry(id, 'gate/b')).rejects.toMatchObject({ code: 'wrong_status' });
  await world.runs.end(world.runs.runOf('ticket/b'), { text: 'ok' });
  await drive.ended(id, 'completed');
});

test('cancels while only gates are left', async () => {
  const { drive, id } = await begin();
  await drive.approvePart(id, 'a', 'd');
  await drive.stepIs(id, 'gate/b', 'waiting');
  await drive.cancel(id);
  const ended = await drive.ended(id, 'cancelled');
  expect(ended.deferred).toEqual([]);
  expect(ended.steps.find(({ key }) => key === 'gate/b')?.state).toBe('cancelled');
  expect(['b', 'c'].map(ticketStatus)).toEqual(['cancelled', 'cancelled']);
  await expect(drive.approveDeferred(id, ['b'])).rejects.toMatchObject({ code: 'wrong_status' });
});

test('nobody waits at the gate of a ticket that cannot run, and after a retry it waits again, open if it was opened', async () => {
  let tries = 0;
  const answers = answerScript();
  const { drive, id } = await begin(
    (run, step) =>
      step === 'ticket/a' && ++tries === 1 ? { status: 'failed', summary: 'no luck' } : answers(run, step),
    [ticketOf('a'), ticketOf('b', 'a'), ticketOf('c', 'b'), ticketOf('e')],
  );
  await drive.approvePart(id, 'a');
  await drive.stepIs(id, 'gate/b', 'skipped');
  expect((await drive.detail(id)).steps.find(({ key }) => key === 'ticket/c')?.error).toContain(
    'needs ticket/b',
  );
  await drive.approveDeferred(id, ['b']);
  await drive.retry(id, 'ticket/a');
  await drive.stepIs(id, 'ticket/b', 'done');
  await drive.stepIs(id, 'gate/c', 'waiting');
  expect((await drive.detail(id)).deferred).toEqual(['c', 'e']);
  await drive.approveDeferred(id, ['c', 'e']);
  expect((await drive.ended(id, 'completed')).gaps).toEqual([]);
});

test('a gate waits through a restart, and what was decided just before the end is carried out after it', async () => {
  const { drive, id } = await begin();
  await drive.approvePart(id, 'a', 'd');
  await drive.stepIs(id, 'gate/b', 'waiting');
  await world.drop();
  await world.live();
  expect(await drive.stateOf(id, 'gate/b')).toBe('waiting');
  const patch = world.spaces.patchMessage.bind(world.spaces);
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  world.spaces.patchMessage = async () => {
    resolve();
    throw new Fault('unavailable', 'The service cannot be reached.');
  };
  await drive.approveDeferred(id, ['b', 'c']);
  await tried;
  expect(await drive.stateOf(id, 'gate/b')).toBe('waiting');
  await world.drop();
  world.spaces.patchMessage = patch;
  await world.live();
  await drive.ended(id, 'completed');
});

/** Decides in the inbox, where nobody judges the answer. */
async function decidedInInbox(answer?: string) {
  const { drive, id } = await begin();
  const { approvalId } = await drive.detail(id);
  const said = answer === undefined ? {} : { answer };
  await world.spaces.decideApproval(PERSON, String(approvalId), { decision: 'approved', ...said });
  await world.handled('approval.decided');
  return { drive, id };
}

test('the decision itself says what it approves: whoever reads it first approves no more', async () => {
  const { drive, id } = await decidedInInbox('Only these sub-tickets: a, d');
  expect((await drive.detail(id)).deferred).toEqual(['b', 'c']);
  await drive.approveDeferred(id, ['b', 'c']);
  await drive.ended(id, 'completed');
});

test('a decision after which the service died before it could take it over approves the part', async () => {
  const { drive, id } = await begin();
  const change = world.spaces.decideApproval.bind(world.spaces);
  world.spaces.decideApproval = async (...args) => {
    await change(...args);
    throw new Fault('unavailable', 'The answer was lost.');
  };
  await expect(drive.approvePart(id, 'a')).rejects.toMatchObject({ code: 'unavailable' });
  await world.handled('approval.decided');
  expect(await drive.detail(id)).toMatchObject({ approvedRevision: 1, deferred: ['b', 'c', 'd'] });
});

for (const answer of [
  'Only these sub-tickets: c',
  'Only these sub-tickets: a, ghost',
  'Only these sub-tickets:',
]) {
  test(`a decision in the inbox with ${JSON.stringify(answer)}, which is no part, approves nothing yet`, async () => {
    const { drive, id } = await decidedInInbox(answer);
    expect((await drive.detail(id)).deferred).toEqual(['a', 'b', 'c', 'd']);
    await drive.stepIs(id, 'gate/a', 'waiting');
    expect(asked()).toEqual([]);
  });
}

test('any other answer, or none, approves the whole', async () => {
  const { drive, id } = await decidedInInbox('Go ahead');
  expect((await drive.detail(id)).deferred).toEqual([]);
  await drive.ended(id, 'completed');
});

test('a plan is approved in part as well', async () => {
  world = await World.create({ mode: 'plan', repository: true });
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.plan([nodeOf('read'), nodeOf('mend', 'read')]);
  await drive.approvePart(id, 'read');
  await drive.stepIs(id, 'gate/mend', 'waiting');
  expect((await drive.planOf(id)).deferred).toEqual(['mend']);
  await drive.approveDeferred(id, ['mend']);
  await drive.ended(id, 'completed');
});

test('whatever part is approved, before each opening exactly what is approved was given to agents', async () => {
  world = await World.create({ repository: true });
  await world.live();
  const drive = driverOf(world);
  const picks = fc.array(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  });
  const graph = fc.array(fc.array(fc.nat({ max: 100 }), { maxLength: 2 }), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(graph, picks, async (needs, rounds) => {
      const tickets = needs.map((row, i) =>
        ticketOf(`t${i}`, ...new Set(i === 0 ? [] : row.map((need) => `t${need % i}`))),
      );
      const runsBefore = world.runs.runs.length;
      const given = () => world.runs.runs.slice(runsBefore).map((run) => world.runs.stepOf(run));
      const { id } = await drive.propose({ proposal: withRoles(tickets) });
      const approved = new Set<string>();
      for (const [round, pick] of rounds.entries()) {
        const wanted = withNeeds(
          tickets,
          pick.map((i) => `t${i}`),
        ).filter((key) => !approved.has(key));
        if (wanted.length === 0) continue;
        if (round === 0) await drive.approvePart(id, ...wanted);
        else await drive.approveDeferred(id, wanted);
        for (const key of wanted) approved.add(key);
        for (const key of approved) await drive.stepIs(id, `ticket/${key}`, 'done');
        const tasks = given().filter((key) => key.startsWith('ticket/'));
        expect(tasks.sort()).toEqual([...approved].map((key) => `ticket/${key}`).sort());
      }
      const { deferred } = await drive.detail(id);
      expect(deferred).toEqual(tickets.map(({ key }) => key).filter((key) => !approved.has(key)));
      if (deferred.length > 0) await drive.approveDeferred(id, deferred);
      await drive.ended(id, 'completed');
      expect(given().filter((key) => key.startsWith('ticket/'))).toHaveLength(6);
    }),
    { numRuns: 10 },
  );
}, 60_000);

const withRoles = (tickets: ProposedTicket[]) => {
  return proposalOf({ tickets, roles: [proposalOf().roles[0]!], discussion: null, research: null });
};

const withNeeds = (tickets: ProposedTicket[], keys: string[]) => [
  ...new Set([...keys, ...partOf(tickets, keys).missing]),
];
