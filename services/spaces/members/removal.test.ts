import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Actor, actorId } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { newSecret, newToken, tokenDigest } from './token.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const remove = (id: Actor, actor?: Actor) => open.call('DELETE', `/members/${actorId(id)}`, undefined, actor);
const everybody = async () => (await open.call('GET', '/members')).body;

async function signedIn(actor: Actor): Promise<string> {
  const token = newSecret();
  const { code } = (await open.call('POST', '/sign-in-codes', {}, actor)).body;
  const digests = { codeDigest: tokenDigest(code), digest: tokenDigest(token) };
  expect((await open.call('POST', '/sessions', digests, 'service:edge')).status).toBe(201);
  return token;
}
const isKnown = async (path: string, body: object) =>
  (await open.call('POST', path, body, 'service:edge')).status === 200;
const isSignedIn = (token: string) =>
  isKnown('/session-holder', { digest: tokenDigest(token), renew: false });
const isToken = (token: string) => isKnown('/token-holder', { digest: tokenDigest(token) });

test('whoever is removed gets in no more by anything, and their name stays', async () => {
  const mara = await addMember(open, 'operator');
  await open.call('PATCH', `/members/${actorId(mara)}`, { name: 'Mara' }, mara);
  const browser = await signedIn(mara);
  const { token } = (await open.call('POST', '/tokens', { name: 'laptop' }, mara)).body;
  const { code } = (await open.call('POST', '/sign-in-codes', {}, mara)).body;
  expect([await isSignedIn(browser), await isToken(token)]).toEqual([true, true]);
  expect(await remove(mara)).toEqual({ status: 200, body: {} });
  expect([await isSignedIn(browser), await isToken(token)]).toEqual([false, false]);
  const digests = { codeDigest: tokenDigest(code), digest: tokenDigest(newSecret()) };
  expect((await open.call('POST', '/sessions', digests, 'service:edge')).body.code).toBe('sign_in_failed');
  const { items, former } = await everybody();
  expect(items.map(({ id }: { id: string }) => id)).not.toContain(actorId(mara));
  expect(former).toEqual([{ id: actorId(mara), name: 'Mara', removedAt: expect.any(Number) }]);
  // Nothing of theirs stays behind either.
  for (const table of ['sessions', 'tokens', 'signInCodes']) {
    const sql = `SELECT 1 FROM ${table} WHERE memberId = ?`;
    expect([table, await open.deps.control.read({ sql, args: [actorId(mara)] })]).toEqual([table, []]);
  }
});

test.each([
  ['removed', (id: Actor) => remove(id)],
  ['an owner no more', (id: Actor) => open.call('PATCH', `/members/${actorId(id)}`, { role: 'operator' })],
])('a link that an owner made for another ends when they are %s', async (_, end) => {
  const [owner, other, third] = [
    await addMember(open, 'owner'),
    await addMember(open, 'viewer'),
    await addMember(open, 'operator'),
  ];
  const link = async () =>
    (await open.call('POST', '/sign-in-codes', { memberId: actorId(other) }, owner)).body.code;
  const signIn = (code: string) =>
    open.call(
      'POST',
      '/sessions',
      { codeDigest: tokenDigest(code), digest: tokenDigest(newSecret()) },
      'service:edge',
    );
  const [before, kept] = [await link(), await link()];
  await open.call('PATCH', `/members/${actorId(third)}`, { role: 'viewer' });
  expect((await signIn(before)).status).toBe(201);
  expect((await end(owner)).status).toBe(200);
  expect((await signIn(kept)).body.code).toBe('sign_in_failed');
});

test('it is done once, and whoever is gone is nobody to ask, to change or to give work to', async () => {
  const gone = await addMember(open, 'owner');
  await remove(gone);
  expect((await remove(gone)).body.code).toBe('not_found');
  expect((await open.call('PATCH', `/members/${actorId(gone)}`, { name: 'X' })).body.code).toBe('not_found');
  const code = await open.call('POST', '/sign-in-codes', { memberId: actorId(gone) });
  expect(code.body.code).toBe('not_found');
  // A request that was let in just before.
  expect((await open.call('POST', '/sign-in-codes', {}, gone)).body.code).toBe('not_found');
  expect((await open.call('POST', '/tokens', { name: 'late' }, gone)).body.code).toBe('forbidden');
  expect((await remove(open.person, gone)).body.code).toBe('forbidden');
  const ws = await readyWorkspace(open, 'Shop');
  const ticket = { title: 'T', assignee: gone, key: 't' };
  expect((await open.call('POST', `/workspaces/${ws}/tickets`, ticket)).body.code).toBe('not_found');
});

test('what they wrote and what is theirs to do stays as it is', async () => {
  const writer = await addMember(open, 'operator');
  const ws = `/workspaces/${await readyWorkspace(open, 'Mill')}`;
  const { mainConversationId } = (await open.call('POST', `${ws}/spaces`, { name: 'Room', key: 'r' })).body;
  const path = `${ws}/conversations/${mainConversationId}/messages`;
  await open.call('POST', path, { body: 'Hello', key: 'm' }, writer);
  const ticket = (await open.call('POST', `${ws}/tickets`, { title: 'T', assignee: writer, key: 't' })).body;
  await remove(writer);
  expect((await open.call('GET', path)).body.items).toMatchObject([{ author: writer, body: 'Hello' }]);
  const changed = await open.call('PATCH', `${ws}/tickets/${ticket.id}`, { title: 'Other' });
  expect(changed.body).toMatchObject({ title: 'Other', assignee: writer });
});

test('everybody may go by themselves, and owners alone remove others', async () => {
  const [operator, viewer] = [await addMember(open, 'operator'), await addMember(open, 'viewer')];
  for (const asker of [operator, viewer]) {
    expect((await remove(open.person, asker)).body.code).toBe('forbidden');
    expect((await remove(viewer, operator)).body.code).toBe('forbidden');
  }
  expect((await remove(viewer, 'agent:agt_1')).body.code).toBe('people_only');
  expect((await remove(viewer, 'service:runs')).body.code).toBe('people_only');
  expect((await remove(viewer, viewer)).status).toBe(200);
  expect((await remove(operator, operator)).status).toBe(200);
});

test('somebody is always an owner, also when all go at once', async () => {
  expect((await remove(open.person, open.person)).body).toMatchObject({
    ...{ code: 'conflict', detail: expect.stringContaining('last owner') },
  });
  const other = await addMember(open, 'owner');
  const gone = await Promise.all([remove(open.person, open.person), remove(other, other)]);
  expect(gone.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { items } = (
    await open.call('GET', '/members', undefined, gone[0]?.status === 409 ? open.person : other)
  ).body;
  expect(items.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
});

test('a key that made somebody makes nobody else, and no start makes a second owner', async () => {
  const { items } = (await open.call('GET', '/members', undefined, 'service:runs')).body;
  const owner: Actor = `person:${items.find(({ role }: { role: string }) => role === 'owner').id}`;
  const ada = { name: 'Ada', role: 'viewer', key: 'ada' };
  const { id } = (await open.call('POST', '/members', ada, owner)).body;
  await remove(`person:${id}`, owner);
  const again = await open.call('POST', '/members', ada, owner);
  expect(again.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('removed') });
  expect(await open.spaces.ensureOwner()).toEqual({ token: null });
  expect(await open.spaces.actorOfToken(newToken())).toBeNull();
});
