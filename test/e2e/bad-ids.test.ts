import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import { everyRoute, filled } from './every-route.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  type World,
} from './world.ts';

/** Stands in every text of the other workspace. */
const SECRET = 'the-plum-orchard';

interface Foreign {
  ticket: string;
  conversation: string;
  space: string;
  message: string;
  run: string;
  orchestration: string;
  approval: string;
  agent: string;
  project: string;
  attachment: string;
}

let world: World;
let mine: { ws: string; id: string; agents: Record<string, string> };
let room: Json;
let foreign: Foreign;

beforeAll(async () => {
  const plan = { ...DEMO_PROPOSAL, goal: `Water ${SECRET}` };
  const proposing = onWord(
    'plan for',
    { tools: [toolCall('propose_orchestration', plan)] },
    { text: `Planned ${SECRET}.` },
  );
  world = await createWorld(
    scriptOf(
      proposing,
      onWord('pry', (request) => pry(request)),
    ),
  );
  foreign = await furnished();
  mine = await founded(world, 'mine');
  room = await spaceWith(world, mine.ws, mine.agents.ceo!, { mode: 'orchestrate' });
});
afterAll(() => world.end());

/** The other workspace, with one of everything. */
async function furnished(): Promise<Foreign> {
  const { ws, agents } = await founded(world, SECRET);
  const ticket = await world.ok('POST', `${ws}/tickets`, { title: SECRET, description: SECRET });
  const project = await world.ok('POST', `${ws}/projects`, { name: SECRET });
  const space = await spaceWith(world, ws, agents.ceo!, { name: SECRET, mode: 'orchestrate' });
  const conversationAt = `${ws}/conversations/${space.mainConversationId}`;
  const file = { name: SECRET, base64: btoa(SECRET) };
  const { id: attachment } = await world.ok('POST', `${conversationAt}/attachments`, file);
  await world.ok('POST', `${conversationAt}/messages`, { body: SECRET, attachments: [attachment], wake: [] });
  const run = await said(world, ws, space, `plan for ${SECRET}`);
  const { items: orchestrations } = await world.ok('GET', `${ws}/orchestrations`);
  const { items: messages } = await world.ok(
    'GET',
    `${ws}/conversations/${space.mainConversationId}/messages`,
  );
  return {
    ...{
      ticket: ticket.id,
      conversation: space.mainConversationId,
      space: space.id,
      message: messages[0].id,
    },
    ...{ run: run.id, orchestration: orchestrations[0].id, approval: orchestrations[0].approvalId },
    ...{ agent: agents.engineer!, project: project.id, attachment },
  };
}

test('over the API, no route of this workspace finds an id of the other', async () => {
  const routes = everyRoute().filter(({ path }) => path.includes('/:id'));
  const found: string[] = [];
  for (const { method, path } of routes) {
    for (const [noun, id] of Object.entries(foreign)) {
      const target = filled(path, { workspaceId: mine.id, id, key: 'research' });
      const { status, body } = await world.api(method, target, method === 'GET' ? undefined : bodyFor(path));
      const isHidden = status === 404 && body.code === 'not_found' && !JSON.stringify(body).includes(SECRET);
      if (!isHidden && !(status === 403 && body.code === 'forbidden'))
        found.push(`${method} ${path} with a ${noun}: ${status} ${JSON.stringify(body)}`);
    }
  }
  expect(found).toEqual([]);
});

/** A body that the route would take, so that it comes to look for the id. */
function bodyFor(path: string): Json {
  const last = path.split('/').at(-1) ?? '';
  const bodies: Record<string, Json> = {
    conversations: { title: 'x' },
    messages: { body: 'x' },
    attachments: { name: 'x', base64: '' },
    comments: { body: 'x' },
    links: { kind: 'relatesTo', to: 'tkt_1' },
    end: { outcome: 'failed', body: 'x', runEndedAt: 1 },
    steer: { text: 'x' },
    undo: { turn: 0, what: 'files' },
    decision: { decision: 'approved' },
    revisions: { baseRevision: 1, proposal: DEMO_PROPOSAL },
    rollback: { baseRevision: 1, to: 1 },
    approve: { revision: 1 },
    'approve-deferred': { tickets: ['x'] },
    reject: { reason: 'x' },
    'request-changes': { reason: 'x' },
    budget: { capMicros: 1 },
    findings: { type: 'bug', body: 'x' },
    resolve: { reason: 'x' },
    axes: { results: [{ axis: 'docs', result: 'pass' }] },
    'plan-exit': { runId: 'run_1', conversationId: 'cnv_1', summary: 'x' },
  };
  return (
    bodies[last] ??
    (path.includes('/agents/')
      ? { title: 'x', version: 1 }
      : path.includes('/messages/')
        ? { body: 'x' }
        : path.includes('/spaces/') || path.includes('/members/')
          ? { name: 'x' }
          : {})
  );
}

test('a body that names an id of the other workspace is refused and changes nothing', async () => {
  const { ws, agents } = mine;
  const ticket = await world.ok('POST', `${ws}/tickets`, { title: 'mine' });
  const here = { spaceId: room.id, conversationId: room.mainConversationId };
  const start = { agentId: agents.ceo, prompt: 'x', trigger: { kind: 'assignment', id: null } };
  const proposal = { ...DEMO_PROPOSAL, goal: 'over the fence' };
  const before = await world.ok('GET', `${ws}/events`);
  const bodies: [string, string, Json][] = [
    ['POST', 'tickets', { title: 'x', parentId: foreign.ticket }],
    ['POST', 'tickets', { title: 'x', spaceId: foreign.space }],
    ['POST', 'tickets', { title: 'x', projectId: foreign.project }],
    ['POST', 'tickets', { title: 'x', assignee: `agent:${foreign.agent}` }],
    ['PATCH', `tickets/${ticket.id}`, { assignee: `agent:${foreign.agent}` }],
    ['PATCH', `tickets/${ticket.id}`, { projectId: foreign.project }],
    ['POST', `tickets/${ticket.id}/links`, { kind: 'blocks', to: foreign.ticket }],
    ['POST', 'teams', { name: 'x', members: [`agent:${foreign.agent}`] }],
    ['POST', 'teams', { name: 'x', members: [], projectId: foreign.project }],
    ['POST', 'agents', { name: 'x', title: 'x', reportsTo: foreign.agent }],
    ['PATCH', `agents/${agents.qa}`, { version: 1, reportsTo: foreign.agent }],
    ['POST', 'spaces', { name: 'x', agents: [foreign.agent] }],
    ['POST', `spaces/${room.id}/conversations`, { title: 'x', parentMessageId: foreign.message }],
    [
      'POST',
      `conversations/${room.mainConversationId}/messages`,
      { body: 'x', attachments: [foreign.attachment] },
    ],
    ['POST', 'runs', { ...start, agentId: foreign.agent }],
    ['POST', 'runs', { ...start, conversationId: foreign.conversation }],
    ['POST', 'runs', { ...start, parentRunId: foreign.run }],
    ['POST', 'orchestrations', { ...here, proposal, conversationId: foreign.conversation }],
    ['POST', 'orchestrations', { ...here, proposal, spaceId: foreign.space }],
    ['POST', 'orchestrations', { ...here, proposal, runId: foreign.run }],
    ['POST', 'orchestrations', { ...here, proposal, orchestrationId: foreign.orchestration }],
    [
      'POST',
      'plans',
      {
        ...here,
        goal: 'x',
        nodes: [{ key: 'a', title: 'a', description: 'a' }],
        conversationId: foreign.conversation,
      },
    ],
    [
      'POST',
      'plans',
      {
        ...here,
        goal: 'x',
        nodes: [{ key: 'a', title: 'a', description: 'a' }],
        planId: foreign.orchestration,
      },
    ],
    [
      'POST',
      'plans',
      { ...here, goal: 'x', nodes: [{ key: 'a', title: 'a', description: 'a' }], spaceId: foreign.space },
    ],
  ];
  const taken: string[] = [];
  for (const [method, noun, body] of bodies) {
    const answer = await world.api(method, `${ws}/${noun}`, body);
    const isRefused =
      [400, 404, 422].includes(answer.status) && ['not_found', 'invalid_request'].includes(answer.body.code);
    if (!isRefused)
      taken.push(
        `${method} ${noun} ${JSON.stringify(body).slice(0, 150)}: ${answer.status} ${answer.body.code}`,
      );
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  }
  expect(taken).toEqual([]);
  expect(await world.ok('GET', `${ws}/events`)).toEqual(before);
});

test('lists that are filtered by an id of the other workspace are empty', async () => {
  for (const query of [
    `tickets?parentId=${foreign.ticket}`,
    `tickets?projectId=${foreign.project}`,
    `runs?agentId=${foreign.agent}`,
    `runs?conversationId=${foreign.conversation}`,
    `approvals?runId=${foreign.run}`,
    `messages?after=${foreign.message}`,
  ]) {
    const { status, body } = await world.api('GET', `${mine.ws}/${query}`);
    if (status === 200) expect({ query, items: body.items }).toEqual({ query, items: [] });
    else expect(body.code).toBe('not_found');
  }
  expect(
    JSON.stringify(await world.ok('GET', `${mine.ws}/histories?agentIds=${foreign.agent}`)),
  ).not.toContain(SECRET);
});

/** Every tool that takes an id, with one of the other workspace; the second time it says that it gives up. */
function pry({ messages }: { messages: { role: string }[] }) {
  if (messages.some(({ role }) => role === 'assistant')) return { text: 'I found nothing.' };
  const { ticket, agent, project, orchestration, conversation, space, attachment } = foreign;
  return {
    tools: [
      toolCall('read_ticket', { ticketId: ticket }),
      toolCall('comment_ticket', { ticketId: ticket, body: 'hello over there' }),
      toolCall('update_ticket', { ticketId: ticket, status: 'done' }),
      toolCall('create_ticket', { title: 'x', description: 'x', parentId: ticket }),
      toolCall('create_ticket', { title: 'x', description: 'x', projectId: project }),
      toolCall('create_ticket', { title: 'x', description: 'x', assignee: agent }),
      toolCall('propose_orchestration', { ...DEMO_PROPOSAL, orchestrationId: orchestration }),
      toolCall('post_message', { body: 'x', conversationId: conversation }),
      toolCall('read_space', { spaceId: space }),
      toolCall('read_attachment', { attachmentId: attachment }),
      toolCall('list_tickets', { parentId: ticket }),
    ],
  };
}

test('through tools, named in a prompt, they are not found, and nothing of the other workspace reaches the model', async () => {
  const seen = world.model.requests.length;
  const ids = Object.values(foreign).join(' ');
  const run = await said(world, mine.ws, room, `pry into ${ids}`);
  expect(run).toMatchObject({ status: 'completed' });
  const results = await toolResults(world, mine.ws, run.id);
  const list = results.pop();
  expect(results.filter(({ isError }) => !isError)).toEqual([]);
  expect(list).toMatchObject({ isError: false, content: '(no tickets)' });
  const requests = world.model.requests.slice(seen);
  expect(requests.length).toBeGreaterThan(1);
  expect(JSON.stringify(requests)).not.toContain(SECRET);
  expect(results.filter(({ content }) => /There is no|not a|nrecognized/.test(content)).length).toBe(
    results.length,
  );
});

test('the other workspace is as it was', async () => {
  const { items } = await world.ok('GET', '/api/workspaces');
  const other = items.find(({ name }: Json) => name === SECRET);
  const ws = `/api/workspaces/${other.id}`;
  expect(await world.ok('GET', `${ws}/tickets/${foreign.ticket}`)).toMatchObject({
    status: 'backlog',
    comments: [],
    version: 1,
  });
  expect(await world.ok('GET', `${ws}/orchestrations/${foreign.orchestration}`)).toMatchObject({
    status: 'proposed',
    revision: 1,
  });
  const { items: events } = await world.ok('GET', `${ws}/events`);
  expect(events.filter(({ type }: Json) => type === 'ticket.created').length).toBe(2);
});
