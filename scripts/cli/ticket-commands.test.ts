import { afterEach, expect, test } from 'bun:test';
import { type FakeServer, type FakeState, LEADER, SPACE, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

const ID = 'tkt_1';
const ticket = {
  ...{ id: ID, number: 7, title: 'Take vouchers', description: 'Once\u001b[2J each.', status: 'inProgress' },
  ...{ priority: 'high', assignee: `agent:${LEADER}`, parentId: null, spaceId: SPACE, projectId: null },
  ...{ labels: [], provenance: { kind: 'delegation', id: 'run_1' }, createdAt: 1, updatedAt: 1, version: 3 },
};
const delegation = {
  ...{ id: 'dlg_1', ticketId: ID, number: 1, agentId: LEADER, delegatedBy: 'person:mem_1', runId: null },
  ...{ fromConversationId: null, originRunId: null, chain: [LEADER], depth: 1, conversationId: 'cnv_1' },
  ...{ createdAt: 1, beganAt: 2, withdrawnAt: null, endedAt: null, outcome: null, resultCommentId: null },
};
const whole = {
  ...ticket,
  comments: [{ id: 'cmt_1', ticketId: ID, author: 'person:mem_1', body: 'Hurry.', createdAt: 1 }],
  links: [],
  delegations: [delegation],
};

function start(change: Partial<FakeState> = {}): FakeServer {
  const agents = { items: [{ id: LEADER, name: 'ceo' }], next: null };
  server = startFakeServer({
    answers: {
      'GET /agents': agents,
      'GET /tickets': { items: [ticket], next: null },
      [`GET /tickets/${ID}`]: whole,
      'POST /tickets': ticket,
      [`PATCH /tickets/${ID}`]: { ...ticket, version: 4 },
    },
    ...change,
  });
  return server;
}
const run = (fake: FakeServer, ...args: string[]) => runCctl(['tickets', ...args, '--url', fake.url]);

test('tickets are listed with their status and the name of who has them', async () => {
  const { stdout, exitCode } = await run(start());
  expect(exitCode).toBe(0);
  expect(stdout).toContain('tkt_1  #7  inProgress  ceo       Take vouchers');
});

test('a ticket is shown with who works on it and what was said, and nothing in it moves the terminal', async () => {
  const { stdout } = await run(start(), 'show', ID);
  expect(stdout).toContain('Assignee  ceo');
  expect(stdout).toContain('Origin    delegation (run_1)');
  expect(stdout).toContain('Work      1. ceo, at work; assigned by person:mem_1');
  expect(stdout).toContain('Once␛[2J each.');
  expect(stdout).toContain('person:mem_1\nHurry.');
});

test('what you did yourself is said to be yours', async () => {
  const { stdout } = await run(start({ actor: 'person:mem_1' }), 'show', ID);
  expect(stdout).toContain('assigned by you');
});

test('a ticket is made for an agent in a space', async () => {
  const fake = start();
  const args = ['create', 'Take', 'vouchers', '--space', SPACE, '--assign', 'ceo', '--priority', 'high'];
  const made = await run(fake, ...args);
  expect([made.exitCode, made.stdout]).toEqual([0, 'Made ticket #7 (tkt_1). ceo begins with it.\n']);
  expect(fake.state.writes[0]?.body).toMatchObject({
    ...{ title: 'Take vouchers', spaceId: SPACE, assignee: `agent:${LEADER}`, priority: 'high' },
  });
  const wrong = await run(fake, 'create', 'x', '--assign', 'nemo');
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('There is no agent "nemo". There are: ceo.');
});

test('a list of nobody’s tickets is told from one of an agent or a space that there is not', async () => {
  const fake = start();
  const agent = await run(fake, 'list', '--assignee', 'nemo');
  expect([agent.exitCode, agent.stderr]).toEqual([
    2,
    expect.stringContaining('no agent "nemo". There are: ceo'),
  ]);
  fake.state.answers['GET /api/workspaces'] = { items: [{ id: 'ws_gone', name: 'gone' }], next: null };
  const space = await run(fake, 'list', '--space', 'spc_x');
  expect([space.exitCode, space.stderr]).toEqual([1, expect.stringContaining('There is no space "spc_x"')]);
});

test('in which of several workspaces a ticket is made has to be said, by a name that is shown', async () => {
  const items = [
    { id: 'ws_1', name: 'default' },
    { id: 'ws_2', name: 'other' },
  ];
  const ran = await run(start({ answers: { 'GET /api/workspaces': { items, next: null } } }), 'create', 'x');
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain('say which with --workspace: default (ws_1), other (ws_2).');
});

test('a ticket is given to somebody, taken away, and moved', async () => {
  const fake = start();
  expect((await run(fake, 'assign', ID, 'ceo')).stdout).toContain(
    "was ceo's already; nothing is started anew",
  );
  expect((await run(fake, 'assign', ID, 'nobody')).exitCode).toBe(0);
  expect((await run(fake, 'move', ID, 'cancelled')).exitCode).toBe(0);
  expect(fake.state.writes.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PATCH', `/tickets/${ID}`, { assignee: `agent:${LEADER}` }],
    ['PATCH', `/tickets/${ID}`, { assignee: null }],
    ['PATCH', `/tickets/${ID}`, { status: 'cancelled' }],
  ]);
  expect((await run(fake, 'move', ID, 'gone')).exitCode).toBe(2);
});
