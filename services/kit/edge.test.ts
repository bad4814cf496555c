import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ACTOR_HEADER } from './actor.ts';
import { createEdge } from './edge.ts';
import { silentLog } from './log.ts';

let server: ReturnType<typeof Bun.serve>;
let here = '';

beforeAll(() => {
  const hosts: string[] = [];
  const edge = createEdge({
    hosts: () => hosts,
    bearerOf: async (token) => (token === 'token' ? { actor: 'person:mem_token' } : null),
    cookie: {
      name: () => 'own',
      bearerOf: async (value) =>
        value === 'signed-in' ? { actor: 'person:mem_cookie', setCookie: 'own=signed-in; Max-Age=1' } : null,
    },
    isOpen: (path) => path.startsWith('/hooks/'),
    outside: async (request) => (request.url.endsWith('/page') ? new Response('a page') : null),
    serviceToken: 'token-of-the-services',
    handle: (inner) => Response.json(Object.fromEntries(inner.headers)),
    log: silentLog,
  });
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: edge });
  here = server.url.origin;
  hosts.push(`127.0.0.1:${server.port}`, `localhost:${server.port}`);
});
afterAll(() => server.stop(true));

const COOKIE = { cookie: 'other=1; own=signed-in' };

interface Answer {
  status: number;
  code: string | undefined;
  seen: Record<string, string>;
  setCookie: string | null;
}

async function ask(headers: Record<string, string>, method = 'GET', path = '/api/x'): Promise<Answer> {
  const response = await fetch(here + path, { method, headers });
  const seen = (method === 'HEAD' ? {} : await response.json()) as Record<string, string>;
  return { status: response.status, code: seen.code, seen, setCookie: response.headers.get('set-cookie') };
}

test('a cookie stands for its member, and goes no further in', async () => {
  const { seen, setCookie } = await ask({ ...COOKIE, [ACTOR_HEADER]: 'person:mem_other' });
  expect([seen[ACTOR_HEADER], seen.cookie, seen.authorization]).toEqual([
    'person:mem_cookie',
    undefined,
    undefined,
  ]);
  expect(setCookie).toBe('own=signed-in; Max-Age=1');
});

test.each([
  ['the token of a person', { authorization: 'Bearer token' }, '/api/x'],
  ['the token of the services', { authorization: 'Bearer token-of-the-services' }, '/api/x'],
  ['a signed delivery', {}, '/hooks/github/ws_1'],
  ['the health check', {}, '/healthz'],
])('a cookie beside %s goes no further in either', async (_, headers: Record<string, string>, path) => {
  const { status, seen, setCookie } = await ask({ ...headers, ...COOKIE }, 'GET', path);
  expect([status, seen.cookie, seen.authorization, setCookie]).toEqual([200, undefined, undefined, null]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  'with the cookie, %s is served to pages of this server alone',
  async (method) => {
    expect((await ask(COOKIE, method)).code).toBe('foreign_origin');
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `${here}.evil.example`]) {
      expect((await ask({ ...COOKIE, origin }, method)).code).toBe('foreign_origin');
    }
    expect((await ask({ ...COOKIE, origin: here }, method)).status).toBe(200);
    const byName = `http://localhost:${server.port}`;
    expect((await ask({ ...COOKIE, origin: byName }, method)).status).toBe(200);
    // A token is sent by nobody's page unasked.
    expect((await ask({ authorization: 'Bearer token', ...COOKIE }, method)).status).toBe(200);
  },
);

test('reading needs no Origin, which browsers do not send with it, and opening a socket does', async () => {
  expect((await ask(COOKIE)).status).toBe(200);
  expect((await ask(COOKIE, 'HEAD')).status).toBe(200);
  expect((await ask({ ...COOKIE, origin: 'http://127.0.0.1:1' })).code).toBe('foreign_origin');
  const socket = { ...COOKIE, upgrade: 'websocket' };
  expect((await ask(socket)).code).toBe('foreign_origin');
  expect((await ask({ ...socket, origin: here })).status).toBe(200);
});

test('a page of another port is of the same site: where the browser tells so it does not even read', async () => {
  for (const site of ['same-site', 'cross-site']) {
    expect((await ask({ ...COOKIE, 'sec-fetch-site': site })).code).toBe('foreign_origin');
    expect((await ask({ ...COOKIE, 'sec-fetch-site': site, origin: here }, 'POST')).code).toBe(
      'foreign_origin',
    );
  }
  for (const site of ['same-origin', 'none']) {
    expect((await ask({ ...COOKIE, 'sec-fetch-site': site })).status).toBe(200);
  }
});

test('a token wins over the cookie, also one that is not valid', async () => {
  expect((await ask({ authorization: 'Bearer token', ...COOKIE })).seen[ACTOR_HEADER]).toBe(
    'person:mem_token',
  );
  for (const authorization of ['Bearer wrong', 'Bearer', 'Basic dG9rZW46', 'token']) {
    expect((await ask({ authorization, ...COOKIE })).code).toBe('unauthenticated');
  }
});

test.each(['', 'own=', 'own=wrong', 'OWN=signed-in', 'xown=signed-in', 'own2=signed-in', 'x=own=signed-in'])(
  'the cookie %j is nobody’s',
  async (cookie) => {
    expect((await ask({ cookie })).code).toBe('unauthenticated');
  },
);

test('of two cookies of the name neither counts, since any port of this machine may have set one', async () => {
  for (const cookie of [
    'own=signed-in; own=other',
    'own=other; own=signed-in',
    'own=signed-in; own=signed-in',
  ]) {
    expect((await ask({ cookie })).code).toBe('unauthenticated');
  }
});

test('what is outside needs no token, but its Host and Origin are looked at as everybody’s', async () => {
  expect(await (await fetch(`${here}/page`)).text()).toBe('a page');
  expect((await ask({ host: 'evil.example' }, 'GET', '/page')).code).toBe('foreign_host');
  expect((await ask({ origin: 'http://evil.example' }, 'GET', '/page')).code).toBe('foreign_origin');
});
