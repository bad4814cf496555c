import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { isFaultCode } from '../../services/kit/fault.ts';
import { everyRoute, filled } from './every-route.ts';
import { ownerToken } from './server-process.ts';
import {
  type Answer,
  call,
  createWorld,
  founded,
  type Json,
  onWord,
  scriptOf,
  spaceWith,
  type World,
} from './world.ts';

const ROUTES = everyRoute();
/** All but where a provider delivers: it has no token, and signs. */
const GUARDED = ROUTES.filter(({ path }) => path.startsWith('/api/'));
const WRITES = GUARDED.filter(({ method }) => method !== 'GET');

let world: World;
let workspace: { ws: string; id: string; agents: Record<string, string> };
let space: Json;
let token: string;

beforeAll(async () => {
  world = await createWorld(scriptOf(onWord('never')));
  workspace = await founded(world, 'alpha');
  space = await spaceWith(world, workspace.ws, workspace.agents.ceo!);
  token = ownerToken(world.stage.dataDir);
});
afterAll(() => world.end());

/** A refusal as every client can read it; the word for it is `code`. */
function refusal(answer: Answer): string {
  const { status, body } = answer;
  if (status < 400 || status >= 500 || !isFaultCode(body.code) || body.status !== status || !body.detail)
    return JSON.stringify(answer);
  return body.code as string;
}

/** What each route answers, where that is not what it should. */
async function unlike(
  wanted: readonly string[],
  routes: readonly { method: string; path: string }[],
  send: (method: string, path: string) => Promise<Answer>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { method, path } of routes) {
    const got = refusal(await send(method, path));
    if (!wanted.includes(got)) lines.push(`${method} ${path}: ${got}`);
  }
  return lines;
}

const SOME = { id: 'none_0', scope: 'none', key: 'none' };
const here = (path: string) => filled(path, { ...SOME, workspaceId: workspace.id });

describe('the outside wall', () => {
  test('there are routes to try, event streams among them', () => {
    expect(ROUTES.length).toBeGreaterThan(45);
    expect(ROUTES.filter(({ path }) => /events$|stream$/.test(path)).length).toBe(4);
  });

  test('without a token, or with one in the query, no route answers', async () => {
    const { url } = world.server;
    expect(await unlike(['unauthenticated'], GUARDED, (m, path) => call(url, m, here(path)))).toEqual([]);
    const inQuery = `?follow=1&token=${token}&access_token=${token}&authorization=Bearer%20${token}`;
    expect(
      await unlike(['unauthenticated'], GUARDED, (m, path) => call(url, m, here(path) + inQuery)),
    ).toEqual([]);
    const actor = { 'x-control-center-actor': 'service:runs', authorization: 'Bearer wrong' };
    expect(
      await unlike(['unauthenticated'], GUARDED, (m, path) => call(url, m, here(path), undefined, actor)),
    ).toEqual([]);
  });

  test('where a provider delivers there is nothing without a secret, with a token or without', async () => {
    const [delivery] = ROUTES.filter((route) => !GUARDED.includes(route));
    const { method, path } = delivery!;
    for (const answer of [
      await call(world.server.url, method, here(path), {}),
      await world.api(method, here(path), {}),
    ]) {
      expect([path, refusal(answer)]).toEqual(['/hooks/github/:workspaceId', 'not_found']);
    }
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '[::1]:1', ''])(
    'of the Host %p',
    async (host) => {
      expect(
        await unlike(['foreign_host'], ROUTES, (m, path) => world.api(m, here(path), undefined, { host })),
      ).toEqual([]);
    },
  );

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://'])(
    'of the Origin %p',
    async (origin) => {
      expect(
        await unlike(['foreign_origin'], ROUTES, (m, path) =>
          world.api(m, here(path), undefined, { origin }),
        ),
      ).toEqual([]);
    },
  );

  test('a request without a Host, or with two, or that is no HTTP', async () => {
    const { host } = new URL(world.server.url);
    const line = 'GET /api/me HTTP/1.1\r\n';
    const rest = `Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    for (const head of [line, `${line}Host: ${host}\r\nHost: evil.example\r\n`, '\0\u0001 rubbish\r\n']) {
      expect(await raw(head + rest)).toMatch(/^HTTP\/1.1 40[03] /);
    }
    expect(await raw(`${line}Host: ${host}\r\n${rest}`)).toStartWith('HTTP/1.1 200 ');
  });
});

/** Sends bytes and gives everything that came back until the other end closed. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(world.server.url).port), '127.0.0.1', () => socket.write(text));
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('close', () => resolve(received));
  socket.on('error', reject);
  socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
  return promise;
}

describe('a body', () => {
  test.each(['{"title":', '', 'null', '[]', '"text"', '7', '{"title":"x"}}', '\u0000', '{"a":NaN}'])(
    '%j is refused by every route that takes one',
    async (body) => {
      const bodiless = /(cancel|pause|resume|takeover|retry|skip|supersede|refresh|confirm)$/;
      const taking = WRITES.filter(({ method, path }) => method !== 'DELETE' && !bodiless.test(path));
      const wanted = ['invalid_request', 'people_only', 'forbidden'];
      expect(await unlike(wanted, taking, (m, path) => world.api(m, here(path), body))).toEqual([]);
    },
  );

  test('that is not declared as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const answer = await world.api('POST', `${workspace.ws}/tickets`, '{"title":"x"}', {
        'content-type': type,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', detail: expect.stringContaining(type) },
      });
    }
  });

  test('of 100 MB, its length told or not', async () => {
    const bytes = 100 << 20;
    const path = `${workspace.ws}/tickets`;
    expect(refusal(await world.api('POST', path, `{"title":"${'x'.repeat(bytes)}"}`))).toBe('too_large');
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1 << 20;
        if (sent > bytes) controller.close();
        else controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(world.server.url + path, { method: 'POST', body, headers });
    expect([response.status, ((await response.json()) as Json).code]).toEqual([413, 'too_large']);
  });

  test('nested without end', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const conversation = `${workspace.ws}/conversations/${space.mainConversationId}/messages`;
    for (const [path, text] of [
      [conversation, `{"body":"x","data":{"deep":${deep}}}`],
      [`${workspace.ws}/orchestrations`, `{"spaceId":"a","conversationId":"b","proposal":${deep}}`],
    ] as const) {
      expect(await world.api('POST', path, text)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', detail: expect.stringContaining('nested') },
      });
    }
  });

  test('wrong in a million places is told of in few words', async () => {
    const labels = Array.from({ length: 200_000 }, () => '\0');
    const { body } = await world.api('POST', `${workspace.ws}/tickets`, { title: 'x', labels });
    expect(body.detail).toContain('labels[0]: must not contain the NUL character');
    expect(JSON.stringify(body).length).toBeLessThan(50_000);
  });
});

describe('what is not there', () => {
  const ids = [
    'tkt_0000000000000000000000',
    'wrong_1',
    '../..',
    '%2e%2e%2f%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%ff',
    'x'.repeat(2_000),
    "' OR 1=1 --",
  ];
  test.each(ids)('the id %j', async (id) => {
    const named = ROUTES.filter(({ path }) => path.includes('/:id'));
    const encoded = id.startsWith("'") ? encodeURIComponent(id) : id;
    const wanted = ['not_found', 'invalid_request', 'people_only', 'forbidden'];
    const path = (text: string) =>
      filled(text, { workspaceId: workspace.id, id: encoded, key: 'a', scope: 'b' });
    expect(
      await unlike(wanted, named, (m, text) => world.api(m, path(text), m === 'GET' ? undefined : {})),
    ).toEqual([]);
  });

  test.each([
    'ws_none',
    '..',
    '%2e%2e',
    '..%2f..%2f..',
    'WS_X',
    'ws_%2e%2e',
    'ws_a%00',
    '%zz',
    'x'.repeat(5_000),
  ])('the workspace %j', async (id) => {
    const inside = ROUTES.filter(({ path }) => path.includes(':workspaceId/'));
    const wanted = ['not_found', 'invalid_request', 'people_only', 'forbidden'];
    const path = (text: string) => filled(text, { ...SOME, workspaceId: id });
    const odd = await unlike(wanted, inside, (m, text) =>
      world.api(m, path(text), m === 'GET' ? undefined : {}),
    );
    // What the host and the catalogue offer is no workspace's own.
    expect(odd.filter((line) => !/^GET \S*\/(host|models|honesty): \{"status":200/.test(line))).toEqual([]);
  });

  test.each(['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])('the method %s', async (method) => {
    const others = [...new Set(ROUTES.map(({ path }) => path))].filter(
      (path) => !ROUTES.some((route) => route.path === path && route.method === method),
    );
    const paths = others.map((path) => ({ method, path }));
    expect(await unlike(['not_found'], paths, (m, path) => world.api(m, here(path)))).toEqual([]);
  });

  test.each([
    '/%',
    '//api/me',
    '/api//workspaces',
    '/healthz/..%2fapi/me',
    '/api/workspaces/%2e%2e/runs',
    '/internal/wake',
    '/internal',
  ])('the path %s', async (path) => {
    const { host } = new URL(world.server.url);
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 40[34] [\s\S]*"code":"(not_found|forbidden)"/);
  });

  test.each(['/../../etc/passwd', '/../package.json', '/assets/../../package.json'])(
    'a path out of the web app, %s',
    async (path) => {
      const { host } = new URL(world.server.url);
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      // Whatever it is taken for, the page or nothing, it is no file of the machine.
      expect(answer).not.toMatch(/root:|"dependencies"/);
      expect(answer).toMatch(/^HTTP\/1.1 (404|200) /);
    },
  );
});

test('after all that the server had no error of its own', async () => {
  expect(await world.api('GET', '/api/me')).toMatchObject({ status: 200 });
  expect(world.server.stderr()).toBe('');
});
