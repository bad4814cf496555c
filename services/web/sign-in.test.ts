import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { Database } from '../kit/database/database.ts';
import { type RunningServer, startServer } from '../main.ts';

const home = mkdtempSync(join(tmpdir(), 'sign-in-'));
const DAY_MS = 86_400_000;
const JSON_TYPE = { 'content-type': 'application/json' };
let server: RunningServer;
let ownerToken = '';
let dataDir = '';

// Each test has a server of its own: attempts to sign in are counted by the server.
beforeEach(async () => {
  dataDir = mkdtempSync(join(home, 'data-'));
  await start();
});
afterEach(() => server.stop());
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function start(): Promise<void> {
  server = await startServer(loadConfig({ CONTROL_CENTER_LOG: 'silent' }, { dataDir, port: 0 }));
  ownerToken = server.ownerToken ?? ownerToken;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Answer = { status: number; headers: Headers; body: any };

async function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined ? {} : JSON_TYPE;
  const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body: text }) };
  const response = await fetch(server.url + path, init);
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: answer === '' ? null : JSON.parse(answer),
  };
}

const asOwner = (method: string, path: string, body?: unknown) =>
  call(method, path, { authorization: `Bearer ${ownerToken}` }, body);
const newCode = async (body: object = {}): Promise<string> =>
  (await asOwner('POST', '/api/sign-in-codes', body)).body.code;
const signIn = (code: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/session', headers, { code });
const setCookieOf = ({ headers }: Answer) => headers.get('set-cookie') ?? '';

/** The header of a browser that signed in. */
async function signedIn(body: object = {}): Promise<{ cookie: string }> {
  const answer = await signIn(await newCode(body));
  expect(answer.status).toBe(200);
  return { cookie: setCookieOf(answer).split(';')[0] ?? '' };
}
const fromHere = (signed: { cookie: string }) => ({ ...signed, origin: server.url });
const me = async (headers: Record<string, string>) => (await call('GET', '/api/me', headers)).body;

async function member(role: string): Promise<string> {
  return (await asOwner('POST', '/api/members', { name: `A ${role}`, role })).body.id;
}

test('a code signs a browser in, once', async () => {
  const code = await newCode();
  const answer = await signIn(code);
  const { port } = new URL(server.url);
  expect(answer.body.member).toMatchObject({ name: 'Owner', role: 'owner' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(setCookieOf(answer)).toMatch(
    new RegExp(
      `^cc_session_${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=(2591999|2592000)$`,
    ),
  );
  const [cookie = ''] = setCookieOf(answer).split(';');
  expect(await me({ cookie })).toEqual({
    actor: `person:${answer.body.member.id}`,
    member: answer.body.member,
  });
  for (const again of [code, 'unknown', ownerToken]) {
    const refused = await signIn(again);
    expect([refused.status, refused.body.code, setCookieOf(refused)]).toEqual([401, 'sign_in_failed', '']);
    expect(refused.body.detail).toContain('cctl sign-in');
  }
});

test('a session is still there when the server comes back', async () => {
  const signed = await signedIn();
  const { port } = new URL(server.url);
  await server.stop();
  await start();
  const cookie = signed.cookie.replace(port, new URL(server.url).port);
  expect((await me({ cookie })).member.role).toBe('owner');
  // Its name has the port, since a browser sends the cookies of one port to all.
  expect((await me(signed)).code).toBe('unauthenticated');
});

test('a session that is used is lengthened once a day, and the cookie with it', async () => {
  const signed = await signedIn();
  const control = await Database.open(`file:${join(dataDir, 'control.db')}`);
  await control.write('test.age', [
    {
      sql: 'UPDATE sessions SET lastSeenAt = lastSeenAt - ?, expiresAt = expiresAt - ?',
      args: [DAY_MS, DAY_MS],
    },
  ]);
  control.close();
  // What opens a socket has no answer to bring the cookie in.
  const socket = await call('GET', '/api/me', { ...fromHere(signed), upgrade: 'websocket' });
  expect([socket.status, setCookieOf(socket)]).toEqual([200, '']);
  const first = await call('GET', '/api/me', signed);
  expect(setCookieOf(first)).toMatch(
    new RegExp(`^${signed.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=(2591999|2592000)$`),
  );
  expect(setCookieOf(await call('GET', '/api/me', signed))).toBe('');
});

test('with the cookie, what changes something has to come from a page of this server', async () => {
  const signed = await signedIn();
  const add = (headers: Record<string, string>) =>
    call('POST', '/api/members', headers, { name: 'Eve', role: 'owner' });
  for (const origin of [{}, { origin: 'https://evil.example' }, { origin: 'http://127.0.0.1:1' }]) {
    expect((await add({ ...signed, ...origin } as Record<string, string>)).body.code).toBe('foreign_origin');
    const out = await call('DELETE', '/api/session', { ...signed, ...origin } as Record<string, string>);
    expect(out.body.code).toBe('foreign_origin');
  }
  expect((await asOwner('GET', '/api/members')).body.items.length).toBe(1);
  expect((await add(fromHere(signed))).status).toBe(201);
});

test('signing out ends the session at once, and no other', async () => {
  const [here, there] = [await signedIn(), await signedIn()];
  const out = await call('DELETE', '/api/session', fromHere(here));
  expect([out.status, setCookieOf(out)]).toEqual([
    204,
    `cc_session_${new URL(server.url).port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`,
  ]);
  expect([(await me(here)).code, (await me(there)).member?.role]).toEqual(['unauthenticated', 'owner']);
  expect((await call('DELETE', '/api/session', fromHere(here))).status).toBe(204);
  expect((await call('DELETE', '/api/session')).status).toBe(204);
});

test('a browser that signs in anew leaves no session behind, and does so from this server’s own page', async () => {
  const before = await signedIn();
  expect((await signIn(await newCode(), before)).body.code).toBe('foreign_origin');
  const answer = await signIn(await newCode(), fromHere(before));
  expect(answer.status).toBe(200);
  expect((await me(before)).code).toBe('unauthenticated');
  const failed = await signIn('unknown', fromHere({ cookie: setCookieOf(answer).split(';')[0] ?? '' }));
  expect(failed.status).toBe(401);
  expect((await me({ cookie: setCookieOf(answer).split(';')[0] ?? '' })).member.role).toBe('owner');
});

test('a viewer looks on, by cookie as by token', async () => {
  const signed = fromHere(await signedIn({ memberId: await member('viewer') }));
  expect((await me(signed)).member.role).toBe('viewer');
  expect((await call('GET', '/api/workspaces', signed)).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/api/workspaces'],
    ['POST', '/api/members'],
    ['PATCH', '/api/members/mem_1'],
    ['DELETE', '/api/workspaces/ws_1/anything'],
    ['POST', '/api/sessions'],
    ['POST', '/api/session-holder'],
    ['POST', '/api/sign-in-codes/x'],
  ]) {
    const { body } = await call(method ?? '', path ?? '', signed, { name: 'x' });
    expect([path, body.code]).toEqual([path, 'forbidden']);
  }
  expect((await call('POST', '/api/sign-in-codes', signed, {})).status).toBe(201);
  const other = await call('POST', '/api/sign-in-codes', signed, { memberId: (await me(signed)).member.id });
  expect(other.status).toBe(201);
  const owner = (await asOwner('GET', '/api/me')).body.member.id;
  expect((await call('POST', '/api/sign-in-codes', signed, { memberId: owner })).body.code).toBe('forbidden');
  expect((await call('DELETE', '/api/session', signed)).status).toBe(204);
});

test('a member who becomes a viewer is one at once, where they are signed in', async () => {
  const id = await member('operator');
  const signed = fromHere(await signedIn({ memberId: id }));
  expect((await call('PATCH', `/api/members/${id}`, signed, { name: 'Ada' })).body.name).toBe('Ada');
  await asOwner('PATCH', `/api/members/${id}`, { role: 'viewer' });
  expect((await call('PATCH', `/api/members/${id}`, signed, { name: 'Eve' })).body.code).toBe('forbidden');
});

test('ten failures are let through in a minute, and also a valid code waits then', async () => {
  const code = await newCode();
  const failed = await Promise.all(Array.from({ length: 30 }, () => signIn('wrong')));
  const statuses = failed.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
  const refused = await signIn(code);
  expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
    429,
    'too_many_requests',
    true,
  ]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeWithin(1, 61);
});

test('whoever succeeds is not counted, and nor is what is no attempt', async () => {
  for (let i = 0; i < 15; i++) {
    await signedIn();
    expect((await call('POST', '/api/session', {}, { code: 7 })).status).toBe(400);
  }
  expect((await signIn('wrong')).status).toBe(401);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{}',
  '{"code":""}',
  '{"code":1}',
  '{"code":"x","more":1}',
  `{"code":"${'x'.repeat(201)}"}`,
])('the body %j is refused', async (body) => {
  expect((await call('POST', '/api/session', {}, body)).body.code).toBe('invalid_request');
});

test('a body that is large, or no JSON, is not even read', async () => {
  expect((await call('POST', '/api/session', {}, `{"code":"${'x'.repeat(5_000)}"}`)).body.code).toBe(
    'too_large',
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await call('POST', '/api/session', form, 'code=x')).body.code).toBe('invalid_request');
  const text = { 'content-type': 'text/plain' };
  expect((await call('POST', '/api/session', text, '{"code":"x"}')).body.code).toBe('invalid_request');
});

test('the Host and the Origin are looked at before the code', async () => {
  const code = await newCode();
  expect((await signIn(code, { host: 'evil.example' })).body.code).toBe('foreign_host');
  expect((await signIn(code, { origin: 'https://evil.example' })).body.code).toBe('foreign_origin');
  expect((await signIn(code, { origin: server.url })).status).toBe(200);
});

test('a request without a Host is refused in good order', async () => {
  for (const path of ['/', '/api/me', '/api/session', '/api/live']) {
    expect([path, (await call('GET', path, { host: '' })).body.code]).toEqual([path, 'foreign_host']);
  }
});

test('no other method and no other spelling signs anybody in', async () => {
  const code = await newCode();
  for (const [method, path] of [
    ['PUT', '/api/session'],
    ['POST', '/api/session/'],
    ['POST', '/api//session'],
    ['POST', '/api/Session'],
    ['POST', '/api/sessions'],
  ] as const) {
    expect([path, (await call(method, path, {}, { code })).status]).toEqual([path, 401]);
  }
  expect((await call('GET', `/api/session?code=${code}`)).status).toBe(401);
  expect((await signIn(code)).status).toBe(200);
});

test('a socket opens for a cookie from this server’s page alone, and closes when its session ends', async () => {
  const signed = await signedIn();
  const open = (headers: Record<string, string>) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/live`, { headers });
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
    const closed = new Promise<number>((done) => {
      socket.onclose = ({ code }) => done(code);
    });
    return { state: promise, closed };
  };
  expect(await open(signed).state).toBe('refused');
  expect(await open({ ...signed, origin: 'http://127.0.0.1:1' }).state).toBe('refused');
  const socket = open(fromHere(signed));
  expect(await socket.state).toBe('open');
  await call('DELETE', '/api/session', fromHere(signed));
  expect(await socket.closed).toBe(4401);
}, 15_000);
