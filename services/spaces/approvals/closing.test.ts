import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
const service: Actor = 'service:runs';
const agent: Actor = 'agent:agt_asker';
let open: OpenSpaces;
let ws: string;
let at: string;
let conversationId: string;
let count = 0;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Closing');
  at = `/workspaces/${ws}`;
  conversationId = (await open.call('POST', `${at}/spaces`, { name: 'Room' })).body.mainConversationId;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const ask = async (more: object = {}) => {
  const wish = {
    kind: 'action',
    requester: agent,
    subject: 'Push',
    arguments: { n: ++count },
    conversationId,
  };
  const body = { ...wish, key: `call/${count}`, ...more };
  return (await open.call('POST', `${at}/approvals`, body, service)).body;
};
const card = async (approvalId: string, data: object = {}) => {
  const body = { kind: 'approval', body: 'May I?', data: { approvalId, ...data } };
  return (await open.call('POST', `${at}/conversations/${conversationId}/messages`, body, agent)).body
    .message;
};
const cards = async (approvalId: string) => {
  const { items } = (await open.call('GET', `${at}/conversations/${conversationId}/messages?limit=1000`))
    .body;
  return items.filter((message: { data: { approvalId?: string } }) => message.data.approvalId === approvalId);
};
const closers: [string, (id: string) => Promise<unknown>][] = [
  ['approved', (id) => open.call('POST', `${at}/approvals/${id}/decision`, { decision: 'approved' })],
  ['refused', (id) => open.call('POST', `${at}/approvals/${id}/decision`, { decision: 'refused' })],
  ['superseded', (id) => open.call('POST', `${at}/approvals/${id}/supersede`, undefined, service)],
];

test.each(closers)('what is %s is shown by its cards in the same commit', async (status, close) => {
  const { id } = await ask();
  const message = await card(id, { runId: 'run_1' });
  const other = await card((await ask()).id);
  await close(id);
  expect(await cards(id)).toMatchObject([
    { id: message.id, version: 2, data: { approvalId: id, runId: 'run_1', status } },
  ]);
  expect(await cards(other.data.approvalId)).toEqual([other]);
  const changed = (await open.events(ws, 'message.changed')).filter(({ subject }) => subject === message.id);
  expect(changed.map(({ data }) => data)).toEqual([{ conversationId, changed: ['data'], version: 2 }]);
});

test('a card that comes after its approval was closed, or that is rendered again, shows it too', async () => {
  const waiting = await card((await ask()).id);
  expect(waiting.data.status).toBeUndefined();
  const unattended = await ask({ whenNobody: 'refuse' });
  expect((await card(unattended.id)).data.status).toBe('unattended');
  const { id } = await ask();
  const early = await card(id);
  await closers[0]![1](id);
  expect((await card(id, { later: true })).data).toEqual({ approvalId: id, later: true, status: 'approved' });
  const data = { approvalId: id, again: true };
  const patched = await open.call('PATCH', `${at}/messages/${early.id}`, { data }, service);
  expect(patched.body.data).toEqual({ ...data, status: 'approved' });
});

test('a run that ends takes back its questions and actions, once, and nothing else', async () => {
  const mine = [
    await ask({ runId: 'run_over' }),
    await ask({
      runId: 'run_over',
      kind: 'question',
      arguments: { text: 'ünïcode "quoted"', deep: [[1.5]] },
    }),
  ];
  const stays = [
    await ask({ runId: 'run_other' }),
    await ask({ runId: 'run_over', kind: 'orchestration' }),
    await ask({ runId: 'run_over', whenNobody: 'refuse' }),
  ];
  const message = await card(mine[0].id);
  const supersede = (body: object, actor: Actor = service) =>
    open.call('POST', `${at}/approvals/supersede-of-run`, body, actor);
  for (const actor of [agent, open.person]) {
    expect((await supersede({ runId: 'run_over' }, actor)).status).toBe(403);
  }
  const ids = mine.map(({ id }) => id);
  expect((await supersede({ runId: 'run_over' })).body).toEqual({ superseded: ids });
  expect((await supersede({ runId: 'run_over' })).body).toEqual({ superseded: [] });
  const events = await open.events(ws, 'approval.superseded');
  expect(events.filter(({ subject }) => ids.includes(subject)).map(({ data }) => data)).toMatchObject(
    mine.map(({ kind, digest, arguments: args }) => ({
      ...{ kind, digest, arguments: args, status: 'superseded', runId: 'run_over', requester: agent },
    })),
  );
  for (const { id, status } of stays) {
    expect((await open.call('GET', `${at}/approvals/${id}`)).body.status).toBe(status);
  }
  expect((await cards(mine[0].id))[0]).toMatchObject({ id: message.id, data: { status: 'superseded' } });
});

test('a decision and the end of the run at once have one winner', async () => {
  for (let i = 0; i < 20; i++) {
    const { id } = await ask({ runId: `run_race${i}` });
    const [decided, ended] = await Promise.all([
      open.call('POST', `${at}/approvals/${id}/decision`, { decision: 'approved' }),
      open.call('POST', `${at}/approvals/supersede-of-run`, { runId: `run_race${i}` }, service),
    ]);
    const { status } = (await open.call('GET', `${at}/approvals/${id}`)).body;
    const hasWon = decided.status === 200;
    expect([status, ended.body.superseded]).toEqual(hasWon ? ['approved', []] : ['superseded', [id]]);
    const told = (await open.events(ws)).filter(
      ({ subject, type }) => subject === id && type !== 'approval.requested',
    );
    expect(told.length).toBe(1);
  }
});
