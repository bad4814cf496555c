import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Database } from '../kit/database/database.ts';
import { SignInStage, setCookieOf } from './sign-in-stage.ts';

const DAY_MS = 86_400_000;
let stage: SignInStage;
beforeEach(async () => {
  stage = new SignInStage();
  await stage.start();
});
afterEach(() => stage.end());

test('a code signs a browser in, once', async () => {
  const code = await stage.newCode();
  const answer = await stage.signIn(code);
  const { port } = new URL(stage.url);
  expect(answer.body.member).toMatchObject({ name: 'Owner', role: 'owner' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(setCookieOf(answer)).toMatch(
    new RegExp(
      `^cc_session_${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=(2591999|2592000)$`,
    ),
  );
  const [cookie = ''] = setCookieOf(answer).split(';');
  expect(await stage.me({ cookie })).toEqual({
    actor: `person:${answer.body.member.id}`,
    member: answer.body.member,
  });
  for (const again of [code, 'unknown', stage.ownerToken]) {
    const refused = await stage.signIn(again);
    expect([refused.status, refused.body.code, setCookieOf(refused)]).toEqual([401, 'sign_in_failed', '']);
    expect(refused.body.detail).toContain('cctl sign-in');
  }
});

test('a session is still there when the server comes back', async () => {
  const signed = await stage.signedIn();
  const { port } = new URL(stage.url);
  await stage.stop();
  await stage.start();
  const cookie = signed.cookie.replace(port, new URL(stage.url).port);
  expect((await stage.me({ cookie })).member.role).toBe('owner');
  // Its name has the port, since a browser sends the cookies of one port to all.
  expect((await stage.me(signed)).code).toBe('unauthenticated');
});

test('a session that is used is lengthened once a day, and the cookie with it', async () => {
  const signed = await stage.signedIn();
  const control = await Database.open(`file:${join(stage.dataDir, 'control.db')}`);
  await control.write('test.age', [
    {
      sql: 'UPDATE sessions SET lastSeenAt = lastSeenAt - ?, expiresAt = expiresAt - ?',
      args: [DAY_MS, DAY_MS],
    },
  ]);
  control.close();
  // What opens a socket has no answer to bring the cookie in.
  const socket = await stage.call('GET', '/api/me', { ...stage.fromHere(signed), upgrade: 'websocket' });
  expect([socket.status, setCookieOf(socket)]).toEqual([200, '']);
  const first = await stage.call('GET', '/api/me', signed);
  expect(setCookieOf(first)).toMatch(
    new RegExp(`^${signed.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=(2591999|2592000)$`),
  );
  expect(setCookieOf(await stage.call('GET', '/api/me', signed))).toBe('');
});

test('with the cookie, what changes something has to come from a page of this server', async () => {
  const signed = await stage.signedIn();
  const add = (headers: Record<string, string>) =>
    stage.call('POST', '/api/members', headers, { name: 'Eve', role: 'owner' });
  for (const origin of [{}, { origin: 'https://evil.example' }, { origin: 'http://127.0.0.1:1' }]) {
    expect((await add({ ...signed, ...origin } as Record<string, string>)).body.code).toBe('foreign_origin');
    const out = await stage.call('DELETE', '/api/session', { ...signed, ...origin } as Record<
      string,
      string
    >);
    expect(out.body.code).toBe('foreign_origin');
  }
  expect((await stage.asOwner('GET', '/api/members')).body.items.length).toBe(1);
  expect((await add(stage.fromHere(signed))).status).toBe(201);
});

test('signing out ends the session at once, and no other', async () => {
  const [here, there] = [await stage.signedIn(), await stage.signedIn()];
  const out = await stage.call('DELETE', '/api/session', stage.fromHere(here));
  expect([out.status, setCookieOf(out)]).toEqual([
    204,
    `cc_session_${new URL(stage.url).port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`,
  ]);
  expect([(await stage.me(here)).code, (await stage.me(there)).member?.role]).toEqual([
    'unauthenticated',
    'owner',
  ]);
  expect((await stage.call('DELETE', '/api/session', stage.fromHere(here))).status).toBe(204);
  expect((await stage.call('DELETE', '/api/session')).status).toBe(204);
});

test('a browser that signs in anew leaves no session behind, and does so from this server’s own page', async () => {
  const before = await stage.signedIn();
  expect((await stage.signIn(await stage.newCode(), before)).body.code).toBe('foreign_origin');
  const answer = await stage.signIn(await stage.newCode(), stage.fromHere(before));
  expect(answer.status).toBe(200);
  expect((await stage.me(before)).code).toBe('unauthenticated');
  const failed = await stage.signIn(
    'unknown',
    stage.fromHere({ cookie: setCookieOf(answer).split(';')[0] ?? '' }),
  );
  expect(failed.status).toBe(401);
  expect((await stage.me({ cookie: setCookieOf(answer).split(';')[0] ?? '' })).member.role).toBe('owner');
});

test('a viewer looks on, by cookie as by token', async () => {
  const signed = stage.fromHere(await stage.signedIn({ memberId: await stage.member('viewer') }));
  expect((await stage.me(signed)).member.role).toBe('viewer');
  expect((await stage.call('GET', '/api/workspaces', signed)).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/api/workspaces'],
    ['POST', '/api/members'],
    ['PATCH', '/api/members/mem_1'],
    ['DELETE', '/api/workspaces/ws_1/anything'],
    ['POST', '/api/sessions'],
    ['POST', '/api/session-holder'],
    ['POST', '/api/sign-in-codes/x'],
  ]) {
    const { body } = await stage.call(method ?? '', path ?? '', signed, { name: 'x' });
    expect([path, body.code]).toEqual([path, 'forbidden']);
  }
  expect((await stage.call('POST', '/api/sign-in-codes', signed, {})).status).toBe(201);
  const other = await stage.call('POST', '/api/sign-in-codes', signed, {
    memberId: (await stage.me(signed)).member.id,
  });
  expect(other.status).toBe(201);
  const owner = (await stage.asOwner('GET', '/api/me')).body.member.id;
  expect((await stage.call('POST', '/api/sign-in-codes', signed, { memberId: owner })).body.code).toBe(
    'forbidden',
  );
  expect((await stage.call('DELETE', '/api/session', signed)).status).toBe(204);
});

test('a member who becomes a viewer is one at once, where they are signed in', async () => {
  const id = await stage.member('operator');
  const signed = stage.fromHere(await stage.signedIn({ memberId: id }));
  expect((await stage.call('PATCH', `/api/members/${id}`, signed, { name: 'Ada' })).body.name).toBe('Ada');
  await stage.asOwner('PATCH', `/api/members/${id}`, { role: 'viewer' });
  expect((await stage.call('PATCH', `/api/members/${id}`, signed, { name: 'Eve' })).body.code).toBe(
    'forbidden',
  );
});

test('the Host and the Origin are looked at before the code', async () => {
  const code = await stage.newCode();
  expect((await stage.signIn(code, { host: 'evil.example' })).body.code).toBe('foreign_host');
  expect((await stage.signIn(code, { origin: 'https://evil.example' })).body.code).toBe('foreign_origin');
  expect((await stage.signIn(code, { origin: stage.url })).status).toBe(200);
});

test('a request without a Host is refused in good order', async () => {
  for (const path of ['/', '/api/me', '/api/session', '/api/live']) {
    expect([path, (await stage.call('GET', path, { host: '' })).body.code]).toEqual([path, 'foreign_host']);
  }
});

test('no other method and no other spelling signs anybody in', async () => {
  const code = await stage.newCode();
  for (const [method, path] of [
    ['PUT', '/api/session'],
    ['POST', '/api/session/'],
    ['POST', '/api//session'],
    ['POST', '/api/Session'],
    ['POST', '/api/sessions'],
  ] as const) {
    expect([path, (await stage.call(method, path, {}, { code })).status]).toEqual([path, 401]);
  }
  expect((await stage.call('GET', `/api/session?code=${code}`)).status).toBe(401);
  expect((await stage.signIn(code)).status).toBe(200);
});

test('a socket opens for a cookie from this server’s page alone', async () => {
  const signed = await stage.signedIn();
  const open = (headers: Record<string, string>) => {
    const socket = new WebSocket(`${stage.url.replace('http', 'ws')}/api/live`, { headers });
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
    return promise;
  };
  expect(await open(signed)).toBe('refused');
  expect(await open({ ...signed, origin: 'http://127.0.0.1:1' })).toBe('refused');
  expect(await open(stage.fromHere(signed))).toBe('open');
});
