import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { pathBetween } from './link-operations.ts';
import { AGENT_TRANSITIONS, mayAgentMove, TICKET_STATUSES } from './ticket-status.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
let agent: Actor;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Tickets');
  at = `/workspaces/${ws}/tickets`;
  agent = `agent:${(await open.call('GET', `/workspaces/${ws}/agents`)).body.items[0].id}`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const create = async (body: object) => (await open.call('POST', at, { title: 'A ticket', ...body })).body;

test('the transitions reach every status from the backlog, never leave an end, and never name a status twice', () => {
  const reached = new Set(['backlog']);
  for (const from of reached) for (const to of AGENT_TRANSITIONS[from as 'backlog']) reached.add(to);
  expect([...reached].sort()).toEqual([...TICKET_STATUSES].sort());
  const isEnd = (status: (typeof TICKET_STATUSES)[number]) => AGENT_TRANSITIONS[status].length === 0;
  expect(TICKET_STATUSES.filter(isEnd)).toEqual(['done', 'failed', 'cancelled']);
  for (const from of TICKET_STATUSES) {
    expect(new Set(AGENT_TRANSITIONS[from]).size).toBe(AGENT_TRANSITIONS[from].length);
    expect(AGENT_TRANSITIONS[from]).not.toContain(from);
    if (!isEnd(from)) expect(AGENT_TRANSITIONS[from]).toContain('cancelled');
  }
});

test('any walk of an agent and a person obeys the table, and the events tell exactly the moves made', async () => {
  const move = fc.record({ to: fc.constantFrom(...TICKET_STATUSES), byAgent: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
      const { id } = await create({});
      let status: (typeof TICKET_STATUSES)[number] = 'backlog';
      const told: object[] = [];
      for (const { to, byAgent } of moves) {
        const legal = !byAgent || mayAgentMove(status, to);
        const answer = await open.call('PATCH', `${at}/${id}`, { status: to }, byAgent ? agent : open.person);
        expect([answer.status, answer.body.code]).toEqual(legal ? [200, undefined] : [409, 'wrong_status']);
        if (legal && status !== to) told.push({ from: status, to });
        if (legal) status = to;
      }
      expect((await open.call('GET', `${at}/${id}`)).body).toMatchObject({
        status,
        version: told.length + 1,
      });
      const events = (await open.events(ws, 'ticket.changed')).filter((event) => event.subject === id);
      expect(events.map((event) => (event.data.changes as { status: object }).status)).toEqual(told);
    }),
    { numRuns: 25 },
  );
});

test('two agents moving at once cannot pass through an illegal state', async () => {
  const { id } = await create({ status: 'inProgress' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      open.call('PATCH', `${at}/${id}`, { status: i % 2 ? 'done' : 'failed' }, agent),
    ),
  );
  const { status } = (await open.call('GET', `${at}/${id}`)).body;
  const winners = answers.filter((answer) => answer.status === 200);
  expect(winners.every((answer) => answer.body.status === status)).toBe(true);
  expect(winners.length).toBe(10);
  expect((await open.events(ws, 'ticket.changed')).filter((event) => event.subject === id).length).toBe(1);
});

test('a stale version is refused and writes nothing; the present one wins once', async () => {
  const { id } = await create({});
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => open.call('PATCH', `${at}/${id}`, { title: `T${i}`, version: 1 })),
  );
  expect(answers.filter((answer) => answer.status === 200).length).toBe(1);
  expect(answers.filter((answer) => answer.body.code === 'conflict').length).toBe(9);
  expect((await open.call('GET', `${at}/${id}`)).body.version).toBe(2);
});

test('a change to the present values writes nothing', async () => {
  const ticket = await create({ labels: ['a', 'b'], priority: 'high', assignee: agent });
  const same = {
    title: 'A ticket',
    labels: ['a', 'b'],
    priority: 'high',
    assignee: agent,
    status: 'backlog',
  };
  expect((await open.call('PATCH', `${at}/${ticket.id}`, same)).body).toEqual(ticket);
  expect((await open.events(ws, 'ticket.changed')).some((event) => event.subject === ticket.id)).toBe(false);
});

test('an assignee and a project can be set and taken away', async () => {
  const project = (await open.call('POST', `/workspaces/${ws}/projects`, { name: 'P' })).body;
  const { id } = await create({});
  const set = await open.call('PATCH', `${at}/${id}`, { assignee: open.person, projectId: project.id });
  expect(set.body).toMatchObject({ assignee: open.person, projectId: project.id, version: 2 });
  expect((await open.call('GET', `${at}?projectId=${project.id}`)).body.items.length).toBe(1);
  const cleared = await open.call('PATCH', `${at}/${id}`, { assignee: null, projectId: null });
  expect(cleared.body).toMatchObject({ assignee: null, projectId: null, version: 3 });
  expect((await open.call('PATCH', `${at}/${id}`, { assignee: 'person:mem_nobody' })).status).toBe(404);
});

test('links close no circle, also when both are made at once, and the refusal names the path', async () => {
  const [a, b, c] = [await create({}), await create({}), await create({})];
  const link = (from: { id: string }, to: { id: string }, kind = 'blocks') =>
    open.call('POST', `${at}/${from.id}/links`, { kind, to: to.id });
  expect((await link(a, a)).body.errors.cycle).toEqual([a.id, a.id]);
  expect((await link(a, b)).status).toBe(201);
  expect((await link(a, b)).body).toEqual((await link(a, b)).body);
  const pair = await Promise.all([link(b, c), link(c, a)]);
  expect(pair.map((answer) => answer.status).sort()).toEqual([201, 400]);
  const lost = pair.find((answer) => answer.status === 400);
  expect(lost?.body).toMatchObject({ code: 'invalid_request' });
  expect(lost?.body.errors.cycle).toHaveLength(4);
  expect((await link(b, a, 'duplicateOf')).status).toBe(201);
  expect((await open.events(ws, 'ticket.linked')).length).toBe(3);
});

test('relatesTo is one link in both directions, and a circle of it is refused as well', async () => {
  const [a, b] = [await create({}), await create({})];
  const there = await open.call('POST', `${at}/${a.id}/links`, { kind: 'relatesTo', to: b.id });
  const back = await open.call('POST', `${at}/${b.id}/links`, { kind: 'relatesTo', to: a.id });
  expect(back).toEqual(there);
  expect((await open.call('GET', `${at}/${b.id}`)).body.links).toEqual([there.body]);
});

test('a path between tickets is a shortest one', () => {
  const links = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'a', to: 'c' },
  ];
  expect(pathBetween('a', 'c', links)).toEqual(['a', 'c']);
  expect(pathBetween('c', 'a', links)).toEqual(['c', 'a']);
});

test('a ticket embeds its comments in order', async () => {
  const { id } = await create({});
  for (const body of ['one', 'two']) await open.call('POST', `${at}/${id}/comments`, { body }, agent);
  const { body } = await open.call('GET', `${at}/${id}`);
  expect(
    body.comments.map((comment: { body: string; author: string }) => [comment.body, comment.author]),
  ).toEqual([
    ['one', agent],
    ['two', agent],
  ]);
});
