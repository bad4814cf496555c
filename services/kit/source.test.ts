import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Hono } from 'hono';
import { ACTOR_HEADER, type Actor } from './actor.ts';
import { createEdge } from './edge.ts';
import { hasFaultCode } from './fault.ts';
import { silentLog } from './log.ts';
import { createPeer, type Transport, unwrap } from './peer.ts';
import { type ServiceEnv, serviceRouter, withFaults } from './service-app.ts';
import {
  parseSource,
  type RequestSource,
  SOURCE_HEADER,
  sourceHeader,
  sourceOf,
  withSource,
} from './source.ts';

const PERSON: Actor = 'person:mem_1';
const AGENT: Actor = 'agent:agt_1';
const INTERNAL: RequestSource = { via: 'internal', address: null, agent: null };

const inner = serviceRouter().get('/api/workspaces/:workspaceId/seen', async (c) => {
  await new Promise(setImmediate);
  return c.json({ actor: c.get('actor'), source: sourceOf(c.get('actor')) }, 200);
});
type Inner = typeof inner;
const innerApp = withFaults(new Hono<ServiceEnv>().route('/', inner), silentLog);

let server: ReturnType<typeof Bun.serve>;
let transport: Transport;
const outer = serviceRouter()
  .get('/api/workspaces/:workspaceId/mcp', (c) => c.json({ source: sourceOf(c.get('actor')) }, 200))
  .get('/api/workspaces/:workspaceId/ask/:asker', async (c) => {
    const peer = createPeer<Inner>(transport)(c.req.param('asker') as Actor);
    const param = { workspaceId: 'ws_1' };
    return c.json(await unwrap(peer.api.workspaces[':workspaceId'].seen.$get({ param })), 200);
  });
const app = withFaults(new Hono<ServiceEnv>().route('/', inner).route('/', outer), silentLog);

beforeAll(() => {
  const hosts: string[] = [];
  const edge = createEdge({
    hosts: () => hosts,
    bearerOf: async (token) => (token === 'mine' ? { actor: PERSON } : null),
    serviceToken: 'shared',
    handle: (request) => app.fetch(request),
    log: silentLog,
  });
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: edge });
  hosts.push(`127.0.0.1:${server.port}`);
});
afterAll(() => server.stop(true));

const get = async (path: string, headers: Record<string, string> = {}) => {
  const url = `${server.url.origin}/api/workspaces/ws_1/${path}`;
  const response = await fetch(url, {
    headers: { authorization: 'Bearer mine', 'user-agent': 'browser/1', ...headers },
  });
  return (await response.json()) as { actor: Actor; source: RequestSource };
};
const HERE: RequestSource = { via: 'http', address: '127.0.0.1', agent: 'browser/1' };
const FORGED = sourceHeader({ via: 'internal', address: '10.0.0.1', agent: 'nobody' });

test('a request from outside has the source that the edge saw, whatever it says itself', async () => {
  expect((await get('seen')).source).toEqual(HERE);
  expect((await get('seen', { [SOURCE_HEADER]: FORGED })).source).toEqual(HERE);
  expect((await get('mcp', { [SOURCE_HEADER]: 'not JSON' })).source).toEqual({ ...HERE, via: 'mcp' });
  const long = await get('seen', { 'user-agent': `${'ü'.repeat(200)}${'x'.repeat(400)}` });
  expect(long.source.agent?.length).toBe(300);
});

test('a service that has the shared token says for whom and from where; without a source it is internal', async () => {
  const shared = { authorization: 'Bearer shared', [ACTOR_HEADER]: PERSON };
  const elsewhere: RequestSource = { via: 'mcp', address: '127.0.0.9', agent: 'ünïcode 🦔' };
  const told = await get('seen', { ...shared, [SOURCE_HEADER]: sourceHeader(elsewhere) });
  expect(told).toEqual({ actor: PERSON, source: elsewhere });
  expect((await get('seen', shared)).source).toEqual(INTERNAL);
});

const transports: [string, () => Transport][] = [
  ['embedded', () => ({ kind: 'embedded', app: { request: (request) => innerApp.request(request) } })],
  ['remote', () => ({ kind: 'remote', baseUrl: server.url.origin, serviceToken: 'shared' })],
];
test.each(transports)(
  'a peer (%s) passes it on for the one who asked, and for nobody else',
  async (_, of) => {
    transport = of();
    expect(await get(`ask/${PERSON}`)).toEqual({ actor: PERSON, source: HERE });
    expect(await get(`ask/${AGENT}`)).toEqual({ actor: AGENT, source: INTERNAL });
    const outside = createPeer<Inner>(transport)(AGENT);
    const answer = outside.api.workspaces[':workspaceId'].seen.$get({ param: { workspaceId: 'ws_1' } });
    expect(await unwrap(answer)).toEqual({ actor: AGENT, source: INTERNAL });
  },
);

test('outside a request there is none, and what goes on in another’s name has another one', async () => {
  expect(sourceOf(PERSON)).toBeNull();
  await withSource(PERSON, HERE, async () => {
    await Promise.resolve();
    expect([sourceOf(PERSON), sourceOf(AGENT)]).toEqual([HERE, INTERNAL]);
  });
  expect(sourceOf(PERSON)).toBeNull();
});

test.each(['', '{', '[]', '{"via":"http"}', '{"via":"ftp","address":null,"agent":null}'])(
  'the header %p is refused',
  (header) => {
    let caught: unknown;
    try {
      parseSource(header);
    } catch (error) {
      caught = error;
    }
    expect(hasFaultCode(caught, 'invalid_request')).toBe(true);
  },
);
