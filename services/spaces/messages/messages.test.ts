import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Messages');
  at = `/workspaces/${ws}`;
  for (const { name, id } of (await open.call('GET', `${at}/agents`)).body.items) ids[name] = id;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const room = async (...names: string[]) =>
  (await open.call('POST', `${at}/spaces`, { name: 'Room', agents: names.map((name) => ids[name]) })).body;
const post = (conversationId: string, body: string, actor?: Actor, extra: object = {}) =>
  open.call('POST', `${at}/conversations/${conversationId}/messages`, { body, ...extra }, actor);
const woken = async (messageId: string) => {
  const [event] = (await open.events(ws, 'message.posted')).filter(({ subject }) => subject === messageId);
  return ((event?.data.wake ?? ['none']) as string[]).map((id) =>
    Object.keys(ids).find((name) => ids[name] === id),
  );
};
const wakes = async (conversationId: string, body: string, actor?: Actor, extra?: object) =>
  woken((await post(conversationId, body, actor, extra)).body.message.id);

test('a person wakes the mentioned agents, in the room or not, else the only agent of the room', async () => {
  const one = (await room('engineer')).mainConversationId;
  const two = (await room('engineer', 'qa')).mainConversationId;
  expect(await wakes(one, 'hello')).toEqual(['engineer']);
  expect(await wakes(one, 'mail bob@qa.example')).toEqual(['engineer']);
  expect(await wakes(one, 'ask @QA and @librarian')).toEqual(['qa', 'librarian']);
  expect(await wakes(two, 'hello')).toEqual([]);
  expect(await wakes((await room()).mainConversationId, 'hello')).toEqual([]);
});

test('who addresses somebody unknown is told, and wakes nobody else instead', async () => {
  const { mainConversationId } = await room('ceo');
  const { body } = await post(mainConversationId, '@ceo-khaliq, look');
  expect(body.notices).toHaveLength(1);
  expect(body.notices[0]).toContain('@ceo-khaliq');
  expect(await woken(body.message.id)).toEqual([]);
  expect(await wakes(mainConversationId, '@ceo-khaliq and @qa')).toEqual(['qa']);
});

test('a person may say whom a text wakes, and whether those at work do it afterwards', async () => {
  const { mainConversationId } = await room('engineer', 'qa');
  const named = { wake: [ids.qa, ids.qa], delivery: 'queue' };
  const { body } = await post(mainConversationId, 'no, @engineer', undefined, named);
  expect(await woken(body.message.id)).toEqual(['qa']);
  const plain = await post(mainConversationId, '@qa hello');
  const events = (await open.events(ws, 'message.posted')).slice(-2);
  expect(events.map(({ data }) => data.delivery)).toEqual(['queue', 'steer']);
  expect(plain.body.message).not.toHaveProperty('delivery');
  const unknown = await post(mainConversationId, 'hello', undefined, { wake: ['agt_none'] });
  expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([404, expect.stringContaining('agt_none')]);
  const byService = await post(mainConversationId, 'hello', 'service:runs', { wake: [ids.qa] });
  expect(await woken(byService.body.message.id)).toEqual([]);
});

test('only a text of a person wakes anybody', async () => {
  const { mainConversationId } = await room('engineer');
  const agent: Actor = `agent:${ids.ceo}`;
  const { body } = await post(mainConversationId, '@qa please', agent);
  expect(body.message.mentions).toEqual([ids.qa]);
  expect(await woken(body.message.id)).toEqual([]);
  expect(await wakes(mainConversationId, '@qa', 'service:orchestration')).toEqual([]);
  expect(await wakes(mainConversationId, '@qa', undefined, { kind: 'notice' })).toEqual([]);
});

test('in a thread the agent who wrote its first message is woken, before the only one of the room', async () => {
  const space = await room('engineer');
  const thread = async (author: Actor | undefined) => {
    const parent = (await post(space.mainConversationId, 'a start', author)).body.message.id;
    const input = { title: 'Thread', parentMessageId: parent };
    return (await open.call('POST', `${at}/spaces/${space.id}/conversations`, input)).body.id;
  };
  expect(await wakes(await thread(`agent:${ids.qa}`), 'and?')).toEqual(['qa']);
  expect(await wakes(await thread(`agent:${ids.qa}`), 'and you, @architect?')).toEqual(['architect']);
  expect(await wakes(await thread(undefined), 'and?')).toEqual(['engineer']);
});

test('a thread cannot grow from a message of another space', async () => {
  const [a, b] = [await room(), await room()];
  const parentMessageId = (await post(a.mainConversationId, 'x')).body.message.id;
  const answer = await open.call('POST', `${at}/spaces/${b.id}/conversations`, {
    title: 'T',
    parentMessageId,
  });
  expect([answer.status, answer.body.errors.faults[0].path]).toEqual([400, 'parentMessageId']);
});

test('a conversation embeds its space', async () => {
  const space = await room('qa');
  const { body } = await open.call('GET', `${at}/conversations/${space.mainConversationId}`);
  expect(body).toMatchObject({ kind: 'main', spaceId: space.id, space });
});

test('an edit is the author’s or a service’s, follows the mentions and wakes nobody', async () => {
  const { mainConversationId } = await room('qa');
  const { message } = (await post(mainConversationId, 'one')).body;
  const edit = (body: object, actor?: Actor) =>
    open.call('PATCH', `${at}/messages/${message.id}`, body, actor);
  expect((await edit({ body: 'mine' }, `agent:${ids.qa}`)).status).toBe(403);
  expect((await edit({ body: 'mine' }, 'person:mem_other')).status).toBe(403);
  const before = (await open.events(ws, 'message.posted')).length;
  const { body } = await edit({ body: 'two @qa', version: 1 });
  expect(body).toMatchObject({ body: 'two @qa', mentions: [ids.qa], version: 2, author: open.person });
  expect((await edit({ body: 'three', version: 1 })).body.code).toBe('conflict');
  expect((await edit({ data: { done: true }, kind: 'notice' }, 'service:orchestration')).body).toMatchObject({
    data: { done: true },
    kind: 'notice',
    version: 3,
  });
  expect((await open.events(ws, 'message.posted')).length).toBe(before);
});

test('messages are listed in the order of their commits and page after an id', async () => {
  const { mainConversationId } = await room();
  const posted = await Promise.all(Array.from({ length: 30 }, (_, i) => post(mainConversationId, `m${i}`)));
  const list = async (query: string) =>
    (await open.call('GET', `${at}/conversations/${mainConversationId}/messages${query}`)).body;
  const all = (await list('')).items.map(({ id }: { id: string }) => id);
  const inLog = (await open.events(ws, 'message.posted')).map(({ subject }) => subject);
  expect(all).toEqual(inLog.filter((id) => posted.some(({ body }) => body.message.id === id)));
  const page = await list(`?after=${all[9]}&limit=10`);
  expect(page.items.map(({ id }: { id: string }) => id)).toEqual(all.slice(10, 20));
  expect(page.next).toBe(all[19]);
  const latest = await list('?latest=5');
  expect(latest.items.map(({ id }: { id: string }) => id)).toEqual(all.slice(-5));
  expect((await list('?after=msg_none')).code).toBe('not_found');
});
