import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Actor, actorId } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, temporaryDirectory } from '../fixture.ts';
import { newSecret, tokenDigest } from './token.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const directory = temporaryDirectory();
let open: OpenSpaces;
let nowMs = 1_800_000_000_000;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const get = async (path: string, actor?: Actor) => (await open.call('GET', path, undefined, actor)).body;
const end = (path: string, actor?: Actor) => open.call('DELETE', path, undefined, actor);
const tokenHolder = (token: string) =>
  open.call('POST', '/token-holder', { digest: tokenDigest(token) }, 'service:edge');
const holder = (token: string, renew = false) =>
  open.call('POST', '/session-holder', { digest: tokenDigest(token), renew }, 'service:edge');

async function signedIn(actor: Actor, browser: object = {}): Promise<{ token: string; id: string }> {
  const token = newSecret();
  const { code } = (await open.call('POST', '/sign-in-codes', {}, actor)).body;
  const digests = { codeDigest: tokenDigest(code), digest: tokenDigest(token) };
  await open.call('POST', '/sessions', { ...digests, ...browser }, 'service:edge');
  return { token, id: (await holder(token)).body.sessionId };
}
const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

test('one sees where one is signed in, and when one was last there', async () => {
  const member = await addMember(open, 'operator');
  const at = nowMs;
  const first = await signedIn(member, { browser: 'Firefox', system: 'Linux' });
  nowMs += 9 * MINUTE_MS;
  const second = await signedIn(member);
  await holder(first.token);
  nowMs += MINUTE_MS;
  await holder(first.token);
  const times = { createdAt: at, lastSeenAt: at + 10 * MINUTE_MS, expiresAt: at + 30 * DAY_MS };
  const { items } = await get('/sessions', member);
  expect(items[0]).toEqual({
    ...{ id: first.id, memberId: actorId(member), ...times, isCurrent: false },
    ...{ browser: 'Firefox', system: 'Linux' },
  });
  expect(items[1]).toMatchObject({ id: second.id, lastSeenAt: at + 9 * MINUTE_MS, browser: null });
  expect(JSON.stringify(items)).not.toContain(tokenDigest(first.token));
  nowMs += 31 * DAY_MS;
  expect(ids(await get('/sessions', member))).toEqual([]);
});

test('one ends one’s own sessions, one or all, and an owner anybody’s', async () => {
  const [ada, eve] = [await addMember(open, 'operator'), await addMember(open, 'viewer')];
  const own = [await signedIn(ada), await signedIn(ada), await signedIn(ada)] as const;
  const other = await signedIn(eve);
  expect((await end(`/sessions/${own[0].id}`, ada)).status).toBe(200);
  expect((await holder(own[0].token)).status).toBe(404);
  for (const id of [own[0].id, other.id, 'ses_none'])
    expect((await end(`/sessions/${id}`, ada)).body.code).toBe('not_found');
  expect((await get(`/sessions?memberId=${actorId(eve)}`, ada)).code).toBe('forbidden');
  expect((await end(`/sessions?memberId=${actorId(eve)}`, ada)).body.code).toBe('forbidden');
  // A token is no session, so that none is left out.
  expect((await end('/sessions', ada)).body).toEqual({ ended: 2 });
  expect([(await holder(own[1].token)).status, (await holder(other.token)).status]).toEqual([404, 200]);
  expect(ids(await get(`/sessions?memberId=${actorId(eve)}`))).toEqual([other.id]);
  expect((await end(`/sessions/${other.id}`)).status).toBe(200);
  expect((await holder(other.token)).status).toBe(404);
  expect((await get('/sessions', 'agent:agt_1')).code).toBe('people_only');
  expect((await get('/sessions?memberId=mem_none')).code).toBe('not_found');
});

test('a session that cannot be noted as seen is one all the same', async () => {
  const member = await addMember(open, 'viewer');
  const { token } = await signedIn(member);
  await open.deps.control.write('test.block', [
    {
      sql: `CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT raise(ABORT, 'full'); END`,
      args: [],
    },
  ]);
  nowMs += DAY_MS;
  expect((await holder(token, true)).body).toMatchObject({ actor: member, renewed: false });
  await open.deps.control.write('test.unblock', [{ sql: 'DROP TRIGGER full', args: [] }]);
  expect((await holder(token, true)).body.renewed).toBe(true);
});

test('a token is told once, opens for its member, and is known to have been used', async () => {
  const member = await addMember(open, 'viewer');
  const made = await open.call('POST', '/tokens', { name: 'laptop' }, member);
  const { token, ...view } = made.body;
  expect([made.status, token.slice(0, 3), token.length]).toEqual([201, 'cc_', 46]);
  expect(view).toEqual({
    ...{ id: view.id, memberId: actorId(member), name: 'laptop', createdAt: nowMs },
    ...{ lastUsedAt: null, isOwnerFile: false },
  });
  expect(await get('/tokens', member)).toEqual({ items: [view], next: null });
  expect((await tokenHolder(token)).body).toEqual({ actor: member, role: 'viewer' });
  const usedAt = nowMs;
  nowMs += 9 * MINUTE_MS;
  await tokenHolder(token);
  expect((await get('/tokens', member)).items[0].lastUsedAt).toBe(usedAt);
  nowMs += MINUTE_MS;
  await tokenHolder(token);
  expect((await get('/tokens', member)).items[0].lastUsedAt).toBe(nowMs);
  const rows = await open.deps.control.read({ sql: 'SELECT * FROM tokens', args: [] });
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('asked again with its key, the token gets a new secret, until it is used', async () => {
  const ask = (name = 'ci', actor = open.person) =>
    open.call('POST', '/tokens', { name, key: 'once' }, actor);
  const [first, second] = [(await ask()).body, (await ask()).body];
  expect([second.id, second.token === first.token]).toEqual([first.id, false]);
  expect((await tokenHolder(first.token)).body.code).toBe('not_found');
  expect((await ask('other')).body.code).toBe('conflict');
  expect((await tokenHolder(second.token)).status).toBe(200);
  expect((await ask()).body.code).toBe('conflict');
  // The key is the member’s own.
  expect((await ask('ci', await addMember(open, 'viewer'))).status).toBe(201);
});

test('a token is revoked by its member or an owner, also that of the first start', async () => {
  const [ada, eve] = [await addMember(open, 'operator'), await addMember(open, 'operator')];
  const { id, token } = (await open.call('POST', '/tokens', { name: 'a' }, ada)).body;
  for (const wrong of [id, 'tok_none'])
    expect((await end(`/tokens/${wrong}`, eve)).body.code).toBe('not_found');
  expect((await get(`/tokens?memberId=${actorId(ada)}`, eve)).code).toBe('forbidden');
  expect(ids(await get(`/tokens?memberId=${actorId(ada)}`))).toEqual([id]);
  expect((await end(`/tokens/${id}`)).status).toBe(200);
  expect((await tokenHolder(token)).body.code).toBe('not_found');
  expect((await end(`/tokens/${id}`, ada)).body.code).toBe('not_found');
  const [ofFile] = (await get('/tokens')).items;
  expect(ofFile).toMatchObject({ name: 'first start', isOwnerFile: true });
  expect((await end(`/tokens/${ofFile.id}`)).status).toBe(200);
  expect(
    (await get('/tokens')).items.filter(({ isOwnerFile }: { isOwnerFile: boolean }) => isOwnerFile),
  ).toEqual([]);
});

test.each([{}, { name: ' ' }, { name: 'a\nb' }, { name: 'x'.repeat(101) }, { name: 'a', scope: 'x' }])(
  '%j makes no token',
  async (body) => {
    expect((await open.call('POST', '/tokens', body)).body.code).toBe('invalid_request');
    expect((await open.call('POST', '/tokens', { name: 'a' }, 'agent:agt_1')).body.code).toBe('people_only');
  },
);
