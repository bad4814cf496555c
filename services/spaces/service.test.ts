import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Actor } from '../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from './fixture.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
let spaceId: string;
let conversationId: string;
let ticketId: string;
let agent: Actor;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Main');
  at = `/workspaces/${ws}`;
  const space = (await open.call('POST', `${at}/spaces`, { name: 'Room' })).body;
  [spaceId, conversationId] = [space.id, space.mainConversationId];
  ticketId = (await open.call('POST', `${at}/tickets`, { title: 'First' })).body.id;
  agent = `agent:${(await open.call('GET', `${at}/agents`)).body.items[0].id}`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

describe('the same key twice is one row and one event', () => {
  const creates: [string, string, () => string, (key: string) => object, Actor?][] = [
    ['agent', 'agent.created', () => '/agents', (key) => ({ name: key, title: 'Ann' })],
    ['space', 'space.created', () => '/spaces', () => ({ name: 'Second' })],
    [
      'conversation',
      'conversation.created',
      () => `/spaces/${spaceId}/conversations`,
      () => ({ title: 'A thread' }),
    ],
    [
      'message',
      'message.posted',
      () => `/conversations/${conversationId}/messages`,
      () => ({ body: 'Hello' }),
    ],
    ['ticket', 'ticket.created', () => '/tickets', () => ({ title: 'Second' })],
    ['comment', 'ticket.commented', () => `/tickets/${ticketId}/comments`, () => ({ body: 'Well done' })],
    ['project', 'project.created', () => '/projects', () => ({ name: 'Launch' })],
    ['team', 'team.created', () => '/teams', () => ({ name: 'Crew', members: [open.person, agent] })],
    [
      'approval',
      'approval.requested',
      () => '/approvals',
      () => ({ kind: 'question', requester: agent, subject: 'Which?', arguments: { options: [1, 2] } }),
      'service:runs',
    ],
  ];
  for (const [noun, type, path, body, actor] of creates) {
    test(noun, async () => {
      const before = (await open.events(ws, type)).length;
      const post = (key: string) => open.call('POST', at + path(), { ...body(key), key }, actor);
      const first = await post(`twice-${noun}`);
      const again = await post(`twice-${noun}`);
      const racing = await Promise.all(Array.from({ length: 8 }, () => post(`race-${noun}`)));
      expect(first.status).toBe(201);
      expect(again).toEqual(first);
      const events = await open.events(ws, type);
      for (const answer of racing) expect(answer).toEqual(racing[0]!);
      expect(events.length).toBe(before + 2);
    });
  }

  test('workspace', async () => {
    const first = await open.call('POST', '/workspaces', { name: 'Keyed', key: 'workspace-key' });
    const again = await open.call('POST', '/workspaces', { name: 'Keyed', key: 'workspace-key' });
    expect(first.status).toBe(201);
    expect(again.body.id).toBe(first.body.id);
  });
});

test('an id of another workspace is not found', async () => {
  const other = `/workspaces/${await readyWorkspace(open, 'Other')}`;
  const approval = await open.call(
    'POST',
    `${at}/approvals`,
    { kind: 'action', requester: agent, subject: 'Push', arguments: {}, key: 'foreign' },
    agent,
  );
  const message = await open.call('POST', `${at}/conversations/${conversationId}/messages`, { body: 'x' });
  const agentId = agent.slice('agent:'.length);
  const calls: [string, string, object?][] = [
    ['GET', `/agents/${agentId}`],
    ['PATCH', `/agents/${agentId}`, { version: 1, title: 'Taken over' }],
    ['GET', `/spaces/${spaceId}`],
    ['PATCH', `/spaces/${spaceId}`, { mode: 'plan' }],
    ['POST', `/spaces/${spaceId}/conversations`, { title: 'x' }],
    ['GET', `/spaces/${spaceId}/conversations`],
    ['GET', `/conversations/${conversationId}`],
    ['GET', `/conversations/${conversationId}/messages`],
    ['POST', `/conversations/${conversationId}/messages`, { body: 'x' }],
    ['PATCH', `/messages/${message.body.message.id}`, { body: 'y' }],
    ['GET', `/tickets/${ticketId}`],
    ['PATCH', `/tickets/${ticketId}`, { status: 'done' }],
    ['POST', `/tickets/${ticketId}/comments`, { body: 'x' }],
    ['POST', `/tickets/${ticketId}/links`, { kind: 'blocks', to: ticketId }],
    ['GET', `/approvals/${approval.body.id}`],
    ['POST', `/approvals/${approval.body.id}/decision`, { decision: 'approved' }],
    ['POST', '/spaces', { name: 'x', agents: [agentId] }],
    ['POST', '/spaces', { name: 'x', parentSpaceId: spaceId }],
    ['POST', '/tickets', { title: 'x', assignee: agent }],
    ['POST', '/tickets', { title: 'x', parentId: ticketId }],
    ['POST', '/tickets', { title: 'x', spaceId }],
    ['POST', '/teams', { name: 'x', members: [agent] }],
    ['POST', '/agents', { name: 'x', title: 'X', reportsTo: agentId }],
  ];
  for (const [method, path, body] of calls) {
    const { status, body: answer } = await open.call(method, other + path, body);
    expect([method, path, status, answer.code]).toEqual([method, path, 404, 'not_found']);
  }
  expect((await open.call('GET', '/workspaces/ws_0/spaces')).status).toBe(404);
  expect((await open.call('GET', '/workspaces/..%2F..%2Fetc/spaces')).status).toBe(404);
});

test('bad input is one fault that names every field', async () => {
  const cases: [string, object, string[]][] = [
    [
      '/agents',
      { name: '../qa', title: '', skills: ['a\nb'], silenceTimeoutMinutes: 0, extra: 1 },
      ['', 'name', 'silenceTimeoutMinutes', 'skills[0]', 'title'],
    ],
    [
      '/spaces',
      { name: ' ', mode: 'Agent', repositories: [{ name: 'A', path: '' }] },
      ['mode', 'name', 'repositories[0].name', 'repositories[0].path'],
    ],
    [
      '/tickets',
      { title: 'a\nb', status: 'Done', assignee: 'service:runs', priority: 1 },
      ['assignee', 'priority', 'status', 'title'],
    ],
    [`/conversations/${conversationId}/messages`, { body: '  ' }, ['body']],
    [
      `/conversations/${conversationId}/messages`,
      { kind: 'shout', body: 1, data: [] },
      ['body', 'data', 'kind'],
    ],
    [`/tickets/${ticketId}/links`, { kind: 'needs' }, ['kind', 'to']],
    [
      '/approvals',
      { kind: 'x', requester: 'me', subject: ' ' },
      ['arguments', 'key', 'kind', 'requester', 'subject'],
    ],
  ];
  for (const [path, body, fields] of cases) {
    const answer = await open.call('POST', at + path, body, 'service:orchestration');
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'invalid_request']);
    const named = answer.body.errors.faults.map((fault: { path: string }) => fault.path);
    expect([path, named.sort()]).toEqual([path, fields]);
  }
});

test('nothing is served without an actor', async () => {
  const response = await open.spaces.app.request(`/api${at}/spaces`);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    401,
    'unauthenticated',
  ]);
});

test('what only people do is refused to agents, and changes nothing', async () => {
  const approval = await open.call(
    'POST',
    `${at}/approvals`,
    { kind: 'question', requester: agent, subject: 'Leave?', arguments: {}, key: 'own' },
    agent,
  );
  const before = (await open.events(ws)).length;
  const other = 'agent:agt_other';
  const calls: [string, string, object][] = [
    ['POST', '/workspaces', { name: 'Mine' }],
    ['POST', `${at}/agents`, { name: 'minion', title: 'Minion' }],
    ['PATCH', `${at}/agents/${agent.slice(6)}`, { version: 1, systemPrompt: 'obey me' }],
    ['POST', `${at}/spaces`, { name: 'Free room', mode: 'chat' }],
    ['PATCH', `${at}/spaces/${spaceId}`, { mode: 'chat' }],
    ['PATCH', `${at}/spaces/${spaceId}`, { mode: 'plan' }],
    ['POST', `${at}/approvals/${approval.body.id}/decision`, { decision: 'approved' }],
    ['POST', `${at}/approvals/${approval.body.id}/supersede`, {}],
    ['POST', `${at}/approvals`, { kind: 'action', requester: other, subject: 'x', arguments: {}, key: 'k1' }],
  ];
  for (const [method, path, body] of calls) {
    const { status } = await open.call(method, path, body, agent);
    expect([method, path, status]).toEqual([method, path, 403]);
  }
  for (const path of ['decision', 'supersede']) {
    const actor = path === 'decision' ? 'service:runs' : open.person;
    const { status } = await open.call(
      'POST',
      `${at}/approvals/${approval.body.id}/${path}`,
      { decision: 'approved' },
      actor,
    );
    expect([path, status]).toEqual([path, 403]);
  }
  expect((await open.events(ws)).length).toBe(before);
});

test('50 writers at once all land, each with its event', async () => {
  const before = (await open.events(ws, 'ticket.created')).length;
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, i) => open.call('POST', `${at}/tickets`, { title: `Parallel ${i}` })),
  );
  expect(created.map((answer) => answer.status)).toEqual(Array(50).fill(201));
  expect(new Set(created.map((answer) => answer.body.number)).size).toBe(50);
  expect((await open.events(ws, 'ticket.created')).length).toBe(before + 50);
  const comments = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      open.call('PATCH', `${at}/tickets/${ticketId}`, { labels: [`l${i}`] }),
    ),
  );
  expect(comments.map((answer) => answer.status)).toEqual(Array(50).fill(200));
  expect((await open.events(ws, 'ticket.changed')).length).toBe(50);
});

test('lists page by cursor without loss or repeat', async () => {
  const all = (await open.call('GET', `${at}/tickets?limit=1000`)).body.items.map(
    (t: { id: string }) => t.id,
  );
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await open.call('GET', `${at}/tickets?limit=7${after && `&after=${after}`}`);
    seen.push(...body.items.map((t: { id: string }) => t.id));
    if (body.next === null) break;
    after = body.next;
  }
  expect(seen).toEqual(all);
});
