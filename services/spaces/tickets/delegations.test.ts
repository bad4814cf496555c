import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { MAX_DEPTH, MAX_IN_ALL, MAX_OPEN } from './delegation.ts';
import type { Delegation, Delegator } from './delegation-schema.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let at: string;
let ws: string;
let spaceId: string;
let agents: string[];
const RUNS: Actor = 'service:runs';

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Delegations');
  at = `/workspaces/${ws}/tickets`;
  const { items } = (await open.call('GET', `/workspaces/${ws}/agents`)).body;
  agents = items.map(({ id }: { id: string }) => id);
  for (let i = agents.length; i < 6; i++) {
    const hired = { name: `hand-${i}`, title: 'A hand', persona: 'I do.' };
    agents.push((await open.call('POST', `/workspaces/${ws}/agents`, hired)).body.id);
  }
  spaceId = (await open.call('POST', `/workspaces/${ws}/spaces`, { name: 'Room' })).body.id;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const agent = (i: number): Actor => `agent:${agents[i]}`;
let runs = 0;

/** A run in which an agent, the last of those named, works on the tickets. */
function inRun(of: readonly number[], more: Partial<Delegator> = {}): Delegator {
  const runId = `run_${++runs}`;
  return {
    ...{ runId, originRunId: runId, conversationId: 'cnv_x', spaceId, ticketIds: [] },
    ...{ agentIds: of.map((i) => agents[i] as string), depth: of.length - 1 },
    ...more,
  };
}

async function create(body: object, actor: Actor = open.person) {
  const answer = await open.call('POST', at, { title: 'Mend it', spaceId, ...body }, actor);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const change = (id: string, body: object, actor: Actor = open.person) =>
  open.call('PATCH', `${at}/${id}`, body, actor);
const read = async (id: string) => (await open.call('GET', `${at}/${id}`)).body;
const delegations = async (id: string): Promise<Delegation[]> => (await read(id)).delegations;
const eventsOf = async (id: string) =>
  (await open.events(ws)).filter(({ subject }) => subject === id).map(({ type }) => type);
const end = (id: string, number: number, outcome: string, body = 'The result.') =>
  open.call('POST', `${at}/${id}/delegations/${number}/end`, { outcome, body, runEndedAt: Date.now() }, RUNS);

test('a ticket that a person makes for an agent is delegated to it in the same commit, with a thread of its own', async () => {
  const { id, number, provenance, status } = await create({ assignee: agent(0) });
  expect([provenance, status]).toEqual([{ kind: 'delegation', id: null }, 'backlog']);
  const [delegation, ...more] = await delegations(id);
  expect(more).toEqual([]);
  expect(delegation).toMatchObject({
    ...{ number: 1, agentId: agents[0], delegatedBy: open.person, runId: null, originRunId: null },
    ...{ chain: [agents[0]], depth: 1, endedAt: null },
  });
  const thread = await open.call('GET', `/workspaces/${ws}/conversations/${delegation?.conversationId}`);
  expect(thread.body).toMatchObject({ spaceId, kind: 'thread', title: `#${number} Mend it` });
  expect(await eventsOf(id)).toEqual(['ticket.created', 'ticket.delegated']);
});

test('the same key makes one ticket and one delegation', async () => {
  const body = { assignee: agent(1), key: 'once', delegator: inRun([0]) };
  const [first, second] = await Promise.all([create(body, agent(0)), create(body, agent(0))]);
  expect(second.id).toBe(first.id);
  expect((await delegations(first.id)).length).toBe(1);
});

test('nobody is started by a ticket for a person, of a pipeline, of a service, that has ended, or that an agent takes itself', async () => {
  const made = await Promise.all([
    create({ assignee: open.person }),
    create({ assignee: agent(0), provenance: { kind: 'pipelineStep', id: 'orc_1' } }),
    create({ assignee: agent(0) }, 'service:orchestration'),
    create({ assignee: agent(0), status: 'done' }),
    create({ assignee: agent(0), delegator: inRun([0]) }, agent(0)),
  ]);
  for (const { id } of made) expect(await delegations(id)).toEqual([]);
  const [ofPerson, ofPipeline] = made;
  await change(ofPipeline.id, { assignee: agent(1) });
  expect(await delegations(ofPipeline.id)).toEqual([]);
  await change(ofPerson.id, { assignee: agent(1) });
  expect((await delegations(ofPerson.id)).length).toBe(1);
  expect((await read(ofPerson.id)).provenance).toEqual({ kind: 'delegation', id: null });
});

test('a ticket goes back to nobody of its chain, and the refusal names the chain and says what to do', async () => {
  const [lead, hand] = [await nameOf(0), await nameOf(1)];
  const { id } = await create({ assignee: agent(1), delegator: inRun([0]) }, agent(0));
  const tickets = (await open.events(ws, 'ticket.created')).length;
  const back = { title: 'Back', spaceId, assignee: agent(0), delegator: inRun([0, 1], { ticketIds: [id] }) };
  const refused = await open.call('POST', at, back, agent(1));
  expect(refused.body).toMatchObject({ code: 'delegation_refused', status: 409, errors: { bound: 'chain' } });
  expect(refused.body.detail).toContain(`${lead} is in the chain`);
  expect(refused.body.detail).toContain(`(${lead} → ${hand})`);
  expect(refused.body.detail).toContain('Do it yourself');
  expect((await open.events(ws, 'ticket.created')).length).toBe(tickets);
  const handedBack = await change(id, { assignee: agent(0), delegator: inRun([0, 1]) }, agent(1));
  expect(handedBack.body.code).toBe('delegation_refused');
  expect((await read(id)).assignee).toBe(agent(1));
});

const nameOf = async (i: number) =>
  (await open.call('GET', `/workspaces/${ws}/agents/${agents[i]}`)).body.name as string;

test('a chain is three delegations long at most, also for whom another message has woken', async () => {
  const first = await create({ assignee: agent(0) });
  const second = await create({ assignee: agent(1), delegator: inRun([0], { depth: 1 }) }, agent(0));
  const third = await create(
    { assignee: agent(2), parentId: second.id, delegator: inRun([0, 1], { depth: 2 }) },
    agent(1),
  );
  const fourth = { title: 'Too far', spaceId, assignee: agent(3) };
  const inChain = await open.call(
    'POST',
    at,
    { ...fourth, delegator: inRun([0, 1, 2], { depth: 3 }) },
    agent(2),
  );
  expect(inChain.body).toMatchObject({
    code: 'delegation_refused',
    errors: { bound: 'depth', limit: MAX_DEPTH },
  });
  // A message woke it, but the ticket at hand came to it by the chain.
  for (const under of [{ parentId: third.id }]) {
    const woken = await open.call('POST', at, { ...fourth, ...under, delegator: inRun([2]) }, agent(2));
    expect(woken.body).toMatchObject({ code: 'delegation_refused', errors: { bound: 'depth' } });
  }
  const handedOn = await change(third.id, { assignee: agent(3), delegator: inRun([2]) }, agent(2));
  expect(handedOn.body).toMatchObject({ code: 'delegation_refused', errors: { bound: 'depth' } });
  expect((await change(third.id, { assignee: agent(3) })).status).toBe(200);
  expect((await delegations(third.id)).map(({ depth }) => depth)).toEqual([3, 1]);
  expect((await delegations(first.id)).length).toBe(1);
});

test('a run delegates eight tickets at a time and forty in all, however many it tries at once', async () => {
  const from = inRun([0]);
  const once = () =>
    open.call('POST', at, { title: 'One of many', spaceId, assignee: agent(1), delegator: from }, agent(0));
  let made = 0;
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(Array.from({ length: MAX_OPEN + 3 }, once));
    const mine = answers.filter(({ status }) => status === 201);
    made += mine.length;
    expect(mine.length).toBe(Math.min(MAX_OPEN, MAX_IN_ALL - (made - mine.length)));
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body.code).toBe('delegation_refused');
    for (const { body } of mine) await end(body.id, 1, 'completed');
  }
  expect(made).toBe(MAX_IN_ALL);
  expect((await once()).body).toMatchObject({ errors: { bound: 'inAll' } });
});

test('an agent delegates in its own run and its own space only', async () => {
  const other = (await open.call('POST', `/workspaces/${ws}/spaces`, { name: 'Elsewhere' })).body.id;
  const ticket = { title: 'x', spaceId, assignee: agent(1) };
  const codes = await Promise.all(
    [
      [agent(0), ticket],
      [agent(0), { ...ticket, delegator: inRun([1]) }],
      [open.person, { ...ticket, delegator: inRun([0]) }],
      [agent(0), { ...ticket, spaceId: other, delegator: inRun([0]) }],
    ].map(async ([actor, body]) => (await open.call('POST', at, body, actor as Actor)).body.code),
  );
  expect(codes).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden']);
  const homeless = await create({ spaceId: null });
  expect((await change(homeless.id, { spaceId }, agent(0))).status).toBe(403);
  const given = await change(homeless.id, { assignee: agent(1), delegator: inRun([0]) }, agent(0));
  expect(given.body).toMatchObject({ spaceId, assignee: agent(1) });
});

test('the begin and the end of a run move its ticket once, with the result as its comment', async () => {
  const { id } = await create({ assignee: agent(1), delegator: inRun([0]) }, agent(0));
  const began = () => open.call('POST', `${at}/${id}/delegations/1/begin`, undefined, RUNS);
  expect((await open.call('POST', `${at}/${id}/delegations/1/begin`, undefined, agent(1))).status).toBe(403);
  expect((await began()).status).toBe(200);
  expect(await read(id)).toMatchObject({ status: 'inProgress', version: 2 });
  await change(id, { status: 'open' }, agent(1));
  await began();
  expect((await read(id)).status).toBe('open');
  expect((await end(id, 1, 'completed')).body).toEqual({ ended: true });
  expect((await end(id, 1, 'failed', 'Again.')).body).toEqual({ ended: false });
  const ticket = await read(id);
  expect(ticket).toMatchObject({ status: 'done', comments: [{ author: agent(1), body: 'The result.' }] });
  expect(ticket.delegations).toMatchObject([
    { outcome: 'completed', resultCommentId: ticket.comments[0].id },
  ]);
  expect(await eventsOf(id)).toEqual([
    ...['ticket.created', 'ticket.delegated', 'ticket.changed', 'ticket.changed'],
    ...['ticket.commented', 'ticket.changed', 'ticket.delegationEnded'],
  ]);
  const last = (await open.events(ws, 'ticket.changed')).at(-1);
  expect(last?.data).toMatchObject({
    changes: { status: { from: 'open', to: 'done' } },
    version: ticket.version,
  });
  expect((await end(id, 9, 'failed')).status).toBe(404);
});

test('what the agent itself made of the status stays', async () => {
  for (const status of ['done', 'blocked', 'inReview', 'failed'] as const) {
    const { id } = await create({ assignee: agent(1) });
    const delegator = inRun([1], { ticketIds: [id] });
    await change(id, { status: 'inProgress', delegator }, agent(1));
    await change(id, { status, delegator }, agent(1));
    expect((await delegations(id))[0]?.endedAt).toBeNull();
    expect((await end(id, 1, 'completed')).body).toEqual({ ended: true });
    expect((await read(id)).status).toBe(status);
  }
});

test('whoever ends or takes away a ticket calls its run off; the rest of the chain is told when the ticket ends', async () => {
  const { id } = await create({ assignee: agent(1), delegator: inRun([0]) }, agent(0));
  await change(id, { assignee: agent(2) });
  expect(await delegations(id)).toMatchObject([
    { number: 1, withdrawnAt: expect.any(Number), endedAt: null },
    { number: 2, withdrawnAt: null, delegatedBy: open.person, chain: [agents[2]] },
  ]);
  // The run that was called off has no more say.
  expect((await end(id, 1, 'cancelled')).body).toEqual({ ended: false });
  expect((await read(id)).status).toBe('backlog');
  expect((await end(id, 2, 'failed', 'No.')).body).toEqual({ ended: true });
  expect(await read(id)).toMatchObject({ status: 'failed', comments: [{ author: RUNS, body: 'No.' }] });
  const ended = (await open.events(ws, 'ticket.delegationEnded')).filter(({ subject }) => subject === id);
  expect(ended.map(({ data }) => [data.number, data.outcome])).toEqual([
    [1, 'failed'],
    [2, 'failed'],
  ]);
  const closed = await create({ assignee: agent(1) });
  await change(closed.id, { status: 'cancelled' });
  expect(await delegations(closed.id)).toMatchObject([{ outcome: 'cancelled', endedAt: expect.any(Number) }]);
});

test('an agent that hands its ticket on goes on till its own end, and has no say over it', async () => {
  const { id } = await create({ assignee: agent(1), delegator: inRun([0]) }, agent(0));
  await change(id, { assignee: agent(2), delegator: inRun([0, 1], { ticketIds: [id] }) }, agent(1));
  expect(await delegations(id)).toMatchObject([
    { number: 1, withdrawnAt: null, endedAt: null },
    { number: 2, chain: [agents[0], agents[1], agents[2]], depth: 2 },
  ]);
  expect((await end(id, 1, 'completed')).body).toEqual({ ended: false });
  expect((await end(id, 2, 'completed')).body).toEqual({ ended: true });
  expect((await delegations(id)).map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
});

test('a person who reopens a ticket starts its agent anew, and one whose run goes on is not started twice', async () => {
  const { id } = await create({ assignee: agent(1) });
  await change(id, { status: 'blocked' });
  await change(id, { status: 'open' });
  expect((await delegations(id)).length).toBe(1);
  await end(id, 1, 'failed', 'No.');
  await change(id, { status: 'open' });
  expect((await delegations(id)).map(({ number, endedAt }) => [number, endedAt === null])).toEqual([
    [1, false],
    [2, true],
  ]);
});

test('tickets are found by assignee, by space, and by the run that delegated them', async () => {
  const delegator = inRun([0]);
  const { id } = await create({ assignee: agent(5), delegator }, agent(0));
  const ids = async (query: string) =>
    ((await open.call('GET', `${at}?${query}`)).body.items as { id: string }[]).map((ticket) => ticket.id);
  expect(await ids(`assignee=${agent(5)}`)).toEqual([id]);
  expect(await ids(`delegatedInRun=${delegator.runId}`)).toEqual([id]);
  expect(await ids(`spaceId=${spaceId}&assignee=${agent(5)}`)).toEqual([id]);
});

test('over any walk of assignments no chain holds an agent twice or is longer than three', async () => {
  const move = fc.record({ by: fc.nat(5), to: fc.nat(5), under: fc.nat(9), woken: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 10 }), async (moves) => {
      const made: { id: string; chain: string[]; depth: number; runId: string }[] = [];
      for (const { by, to, under, woken } of moves) {
        // The agent acts in the run of a ticket it has, or was woken by somebody and names such a ticket as the parent.
        const mine = made.filter(({ chain }) => chain.at(-1) === agents[by]);
        const from = mine[under % Math.max(1, mine.length)];
        const delegator =
          from && !woken
            ? inRun([by], { agentIds: from.chain, depth: from.depth, originRunId: from.runId })
            : inRun([by]);
        const body = { title: 't', spaceId, assignee: agent(to), parentId: from?.id ?? null, delegator };
        const answer = await open.call('POST', at, body, agent(by));
        const refused =
          to !== by && (from?.chain.includes(agents[to] as string) || (from?.depth ?? 0) >= MAX_DEPTH);
        expect([answer.status, answer.body.code]).toEqual(
          refused ? [409, 'delegation_refused'] : [201, undefined],
        );
        if (refused || to === by) continue;
        const [row] = await delegations(answer.body.id);
        expect(new Set(row?.chain).size).toBe(row?.chain.length as number);
        expect(row?.depth).toBeLessThanOrEqual(MAX_DEPTH);
        made.push({
          id: answer.body.id,
          chain: row?.chain ?? [],
          depth: row?.depth ?? 0,
          runId: delegator.originRunId,
        });
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
