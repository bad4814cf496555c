import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, temporaryDirectory } from '../fixture.ts';
import { newSecret, tokenDigest } from './token.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EDGE: Actor = 'service:edge';

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

const newCode = async (body: object = {}, actor: Actor = open.person) =>
  (await open.call('POST', '/sign-in-codes', body, actor)).body;
const begin = (code: string, token = newSecret()) =>
  open.call('POST', '/sessions', { codeDigest: tokenDigest(code), digest: tokenDigest(token) }, EDGE);
const holder = (token: string, renew = true) =>
  open.call('POST', '/session-holder', { digest: tokenDigest(token), renew }, EDGE);
const end = (token: string) => open.call('POST', '/sessions/end', { digest: tokenDigest(token) }, EDGE);

async function signedIn(actor: Actor = open.person): Promise<string> {
  const token = newSecret();
  const { status } = await begin((await newCode({}, actor)).code, token);
  expect(status).toBe(201);
  return token;
}

test('a code makes one session, of its member', async () => {
  const { code, expiresAt, memberId } = await newCode();
  expect([`person:${memberId}`, expiresAt - nowMs, code.length]).toEqual([open.person, 15 * MINUTE_MS, 43]);
  const token = newSecret();
  const begun = await begin(code, token);
  expect(begun).toMatchObject({
    status: 201,
    body: { member: { id: memberId, name: 'Owner', role: 'owner' }, expiresAt: nowMs + 30 * DAY_MS },
  });
  expect((await begin(code)).body.code).toBe('sign_in_failed');
  expect((await holder(token)).body).toMatchObject({ actor: open.person, role: 'owner', renewed: false });
});

test('asked again for the same session, since the answer was lost, it is the same session', async () => {
  const [{ code }, token] = [await newCode(), newSecret()];
  const first = await begin(code, token);
  expect(await begin(code, token)).toEqual(first);
});

test('of many who use one code at once, one is signed in', async () => {
  const { code } = await newCode();
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => begin(code)))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(401)]);
});

test('a code is over after its time, and one that never was makes nothing', async () => {
  const [short, long] = [await newCode(), await newCode({ validForMs: DAY_MS })];
  nowMs += 15 * MINUTE_MS;
  expect((await begin(short.code)).body.code).toBe('sign_in_failed');
  nowMs += DAY_MS - 15 * MINUTE_MS - 1;
  expect((await begin(long.code)).status).toBe(201);
  for (const code of ['', 'x', long.code.slice(1)]) expect((await begin(code)).status).toBe(401);
  for (const validForMs of [0, -1, MINUTE_MS - 1, DAY_MS + 1, 1e300, '900000']) {
    expect((await open.call('POST', '/sign-in-codes', { validForMs })).body.code).toBe('invalid_request');
  }
});

test('of codes and sessions only digests are kept', async () => {
  const { code } = await newCode();
  const token = await signedIn();
  const tables = await Promise.all(
    ['signInCodes', 'sessions'].map((name) =>
      open.deps.control.read({ sql: `SELECT * FROM ${name}`, args: [] }),
    ),
  );
  const text = JSON.stringify(tables);
  expect([text.includes(code), text.includes(token)]).toEqual([false, false]);
  expect([text.includes(tokenDigest(code)), text.includes(tokenDigest(token))]).toEqual([true, true]);
});

test('what is over goes from the tables', async () => {
  await newCode();
  await signedIn();
  nowMs += 31 * DAY_MS;
  await signedIn();
  for (const name of ['signInCodes', 'sessions']) {
    const rows = await open.deps.control.read({ sql: `SELECT * FROM ${name}`, args: [] });
    expect([name, rows.length]).toEqual([name, 1]);
  }
});

test('a code is for oneself, and by an owner for anybody', async () => {
  const [operator, viewer] = [await addMember(open, 'operator'), await addMember(open, 'viewer')];
  const idOf = (actor: Actor) => actor.slice('person:'.length);
  expect((await newCode({}, viewer)).memberId).toBe(idOf(viewer));
  expect((await newCode({ memberId: idOf(viewer) })).memberId).toBe(idOf(viewer));
  for (const asker of [operator, viewer]) {
    const asked = { memberId: idOf(open.person) };
    expect((await open.call('POST', '/sign-in-codes', asked, asker)).body.code).toBe('forbidden');
  }
  const unknown = await open.call('POST', '/sign-in-codes', { memberId: 'mem_none' });
  expect(unknown.body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('cctl members') });
  for (const actor of ['agent:agt_1', 'service:runs'] as const) {
    expect((await open.call('POST', '/sign-in-codes', {}, actor)).body.code).toBe('people_only');
  }
});

test('nobody but the edge begins, asks for and ends sessions', async () => {
  const digest = tokenDigest('x');
  for (const actor of [open.person, 'agent:agt_1'] as const) {
    for (const [path, body] of [
      ['/sessions', { codeDigest: digest, digest }],
      ['/sessions/end', { digest }],
      ['/session-holder', { digest, renew: true }],
    ] as const) {
      expect((await open.call('POST', path, body, actor)).body.code).toBe('forbidden');
    }
  }
});

test('a session that is used is lengthened once a day, and one that is not is over after thirty', async () => {
  const token = await signedIn();
  nowMs += DAY_MS - 1;
  expect((await holder(token)).body.renewed).toBe(false);
  nowMs += 1;
  expect((await holder(token, false)).body.renewed).toBe(false);
  const asked = await Promise.all(Array.from({ length: 5 }, () => holder(token)));
  expect(asked.filter(({ body }) => body.renewed).length).toBe(1);
  expect((await holder(token)).body).toMatchObject({ renewed: false, expiresAt: nowMs + 30 * DAY_MS });
  nowMs += 30 * DAY_MS - 1;
  expect((await holder(token, false)).status).toBe(200);
  nowMs += 1;
  expect((await holder(token)).body.code).toBe('not_found');
});

test('signing out holds at once, for that session alone', async () => {
  const [here, there] = [await signedIn(), await signedIn()];
  expect([(await holder(here)).status, (await holder(there)).status]).toEqual([200, 200]);
  const asking = holder(here);
  await end(here);
  await asking;
  expect([(await holder(here)).status, (await holder(there)).status]).toEqual([404, 200]);
  expect((await end(here)).status).toBe(200);
});

test('what a member may do changes at once for those who are signed in', async () => {
  const operator = await addMember(open, 'operator');
  const token = await signedIn(operator);
  expect((await holder(token)).body.role).toBe('operator');
  await open.call('PATCH', `/members/${operator.slice('person:'.length)}`, { role: 'viewer' });
  expect((await holder(token)).body.role).toBe('viewer');
});

test('a session is read from the database once a minute', async () => {
  const token = await signedIn();
  await holder(token);
  await open.deps.control.write('test.remove', [
    { sql: 'DELETE FROM sessions WHERE digest = ?', args: [tokenDigest(token)] },
  ]);
  nowMs += MINUTE_MS - 1;
  expect((await holder(token)).status).toBe(200);
  nowMs += 1;
  expect((await holder(token)).status).toBe(404);
});
