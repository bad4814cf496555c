import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerToken, type ServerProcess } from '../../test/e2e/server-process.ts';
import { SERVICE_TOKEN, startThree } from '../../test/e2e/three-processes.ts';
import { type Answer, call, type Json, until } from '../../test/e2e/world.ts';
import { loadConfig } from '../config.ts';
import { startServer } from '../main.ts';

const home = mkdtempSync(join(tmpdir(), 'sign-in-three-'));
const dataDir = join(home, 'data');
let servers: ServerProcess[];
/** Whatever a log must not have. */
const secrets: string[] = [];

beforeAll(async () => {
  servers = await startThree({ CONTROL_CENTER_DATA: dataDir, CONTROL_CENTER_LOG: 'debug' });
}, 30_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(home, { recursive: true, force: true });
});

const [SPACES, RUNS] = [0, 1];
const urlOf = (at: number) => (servers[at] as ServerProcess).url;
const nameAt = (at: number) => `cc_session_${new URL(urlOf(at)).port}`;
const cookieAt = (at: number, token: string) => ({ cookie: `${nameAt(at)}=${token}`, origin: urlOf(at) });

function asOwner(method: string, path: string, body?: unknown): Promise<Answer> {
  const authorization = `Bearer ${ownerToken(dataDir)}`;
  return call(urlOf(SPACES), method, path, body, { authorization });
}

/** What the cookie holds of a browser that signs in there. */
async function signedIn(at: number, body: Json = {}): Promise<string> {
  const { code } = (await asOwner('POST', '/api/sign-in-codes', body)).body;
  const response = await fetch(`${urlOf(at)}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const [, name, token = ''] = /^(\w+)=([\w-]+);/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  expect([response.status, name]).toEqual([200, nameAt(at)]);
  secrets.push(code, token);
  return token;
}

const me = (at: number, token: string) => call(urlOf(at), 'GET', '/api/me', undefined, cookieAt(at, token));

test('one signs in wherever one knocks', async () => {
  const token = await signedIn(RUNS);
  expect((await me(RUNS, token)).body.member).toMatchObject({ name: 'Owner', role: 'owner' });
  const made = await call(urlOf(RUNS), 'POST', '/api/workspaces', { name: 'shop' }, cookieAt(RUNS, token));
  expect(made.status).toBe(201);
  const listed = await call(urlOf(RUNS), 'GET', '/api/sessions', undefined, cookieAt(RUNS, token));
  expect(listed.body.items.map(({ isCurrent }: Json) => isCurrent)).toContain(true);
  const { origin, ...bare } = cookieAt(RUNS, token);
  const refused = await call(urlOf(RUNS), 'POST', '/api/workspaces', { name: 'shop' }, bare);
  expect(refused.body.code).toBe('foreign_origin');
  expect((await call(urlOf(SPACES), 'GET', '/api/me', undefined, bare)).body.code).toBe('unauthenticated');
});

test('signing out holds at once where it is done, and elsewhere within five seconds', async () => {
  const token = await signedIn(RUNS);
  expect([(await me(RUNS, token)).status, (await me(SPACES, token)).status]).toEqual([200, 200]);
  const out = await call(urlOf(SPACES), 'DELETE', '/api/session', undefined, cookieAt(SPACES, token));
  expect([out.status, (await me(SPACES, token)).status]).toEqual([204, 401]);
  await until(
    () => me(RUNS, token),
    ({ status }) => status === 401,
    5_000,
  );
  const other = await signedIn(RUNS);
  await Promise.all([me(RUNS, other), me(SPACES, other)]);
  await call(urlOf(RUNS), 'DELETE', '/api/session', undefined, cookieAt(RUNS, other));
  expect([(await me(RUNS, other)).status, (await me(SPACES, other)).status]).toEqual([401, 401]);
}, 20_000);

test('what a member may do changes elsewhere within five seconds', async () => {
  const { id } = (await asOwner('POST', '/api/members', { name: 'Ada', role: 'operator' })).body;
  const token = await signedIn(RUNS, { memberId: id });
  const rename = (name: string) =>
    call(urlOf(RUNS), 'PATCH', `/api/members/${id}`, { name }, cookieAt(RUNS, token));
  expect((await rename('Ada L')).status).toBe(200);
  await asOwner('PATCH', `/api/members/${id}`, { role: 'viewer' });
  await until(
    () => rename('Ada M'),
    ({ body }) => body.code === 'forbidden',
    5_000,
  );
}, 20_000);

test('the app is where spaces is', async () => {
  expect((await call(urlOf(RUNS), 'GET', '/')).body.code).toBe('unauthenticated');
  expect([200, 503]).toContain((await call(urlOf(SPACES), 'GET', '/')).status);
});

test('no process writes a code or a cookie to its log', () => {
  const logs = servers.map((server) => server.stderr()).join('');
  expect(logs).toContain('signed in');
  for (const secret of secrets) expect(logs.includes(secret)).toBe(false);
});

test('a service in another process is sent no cookie', async () => {
  const seen: Headers[] = [];
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) => {
      seen.push(headers);
      return Response.json({});
    },
  });
  const peers = { RUNS_URL: other.url.origin, ORCHESTRATION_URL: other.url.origin };
  const env = { SERVICES: 'spaces', ...peers, CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN };
  const server = await startServer(loadConfig(env, { dataDir: join(home, 'alone'), port: 0 }));
  try {
    const authorization = `Bearer ${server.ownerToken}`;
    const { code } = (await call(server.url, 'POST', '/api/sign-in-codes', {}, { authorization })).body;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ code });
    const response = await fetch(`${server.url}/api/session`, { method: 'POST', headers, body });
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    const path = '/api/workspaces/ws_1/runs';
    expect((await call(server.url, 'GET', path, undefined, { cookie })).status).toBe(200);
    await call(server.url, 'POST', path, {}, { cookie, origin: server.url });
    const passedOn = seen.filter((one) => one.get('x-control-center-actor')?.startsWith('person:'));
    expect(passedOn.length).toBe(2);
    for (const one of passedOn) {
      expect([one.get('cookie'), one.get('authorization')]).toEqual([null, `Bearer ${SERVICE_TOKEN}`]);
    }
  } finally {
    await server.stop();
    await other.stop(true);
  }
});
