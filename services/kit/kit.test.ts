import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import * as z from 'zod';
import { parseActor, requirePerson } from './actor.ts';
import { createEdge } from './edge.ts';
import { Fault } from './fault.ts';
import { newId } from './id.ts';
import { silentLog } from './log.ts';
import { createPeer, unwrap } from './peer.ts';
import { type ServiceEnv, serviceRouter, withFaults } from './service-app.ts';
import { validate } from './validate.ts';
import { Wakes } from './wakes.ts';

const directory = mkdtempSync(join(tmpdir(), 'kit-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('ids of one process grow strictly and keep their prefix', () => {
  const ids = Array.from({ length: 5000 }, () => newId('run'));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(5000);
  expect(ids[0]).toMatch(/^run_[0-9a-z]{22}$/);
});

test('an actor is one of the known kinds', () => {
  expect(parseActor('agent:agt_1')).toBe('agent:agt_1');
  for (const bad of [null, '', 'person:', 'root', 'person:agt_1', 'agent:agt_1 ']) {
    expect(() => parseActor(bad)).toThrow(Fault);
  }
  expect(() => requirePerson('agent:agt_1', 'approve a plan')).toThrow('Only a person may approve a plan.');
});

const routes = serviceRouter()
  .post(
    '/things/:id',
    validate('json', z.strictObject({ size: z.number(), tags: z.array(z.string()) })),
    (c) => c.json({ id: c.req.param('id'), actor: c.get('actor'), size: c.req.valid('json').size }),
  )
  .get('/broken', () => {
    throw new Error('the password is hunter2');
  })
  .get('/gone', (c) => {
    if (c.get('actor')) throw new Fault('stale_revision', 'The plan moved on.', { revision: 4 });
    return c.json({});
  });
const app = withFaults(new Hono<ServiceEnv>().route('/', routes), silentLog);

test('a peer call carries its actor and a fault keeps its code and detail over the hop', async () => {
  const peer = createPeer<typeof routes>({
    kind: 'embedded',
    app: { request: (request) => app.request(request) },
  });
  const client = peer('agent:agt_1');
  expect(
    await unwrap(client.things[':id'].$post({ param: { id: 'a' }, json: { size: 2, tags: [] } })),
  ).toEqual({
    id: 'a',
    actor: 'agent:agt_1',
    size: 2,
  });
  await expect(unwrap(client.gone.$get())).rejects.toMatchObject({
    code: 'stale_revision',
    detail: { revision: 4 },
  });
});

test('an id is one segment of a peer call’s path, whatever it holds, and never leads elsewhere', async () => {
  const peer = createPeer<typeof routes>({
    kind: 'embedded',
    app: { request: (request) => app.request(request) },
  });
  const made = (id: string) =>
    unwrap(peer('agent:agt_1').things[':id'].$post({ param: { id }, json: { size: 2, tags: [] } }));
  for (const id of ['../gone', 'a/../../b', 'a?b', 'a#b', '%2e%2e', '..%2fb', '/:id', '$&', 'é /\\', '...']) {
    expect(await made(id)).toMatchObject({ id });
  }
  for (const id of ['', '.', '..']) await expect(made(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a peer whose connection is cut or refused is asked again until it is back', async () => {
  let cuts = 0;
  const dying = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        cuts++;
        socket.terminate();
        if (cuts === 2) dying.stop(true);
      },
      close() {
        if (cuts === 2) back.resolve();
      },
    },
  });
  const { port } = dying;
  const back = Promise.withResolvers<void>();
  const { gone, things } = createPeer<typeof routes>({
    kind: 'remote',
    baseUrl: `http://127.0.0.1:${port}`,
    serviceToken: 'a-service-token-of-some-length',
  })('agent:agt_1');
  const answer = unwrap(things[':id'].$post({ param: { id: 'a' }, json: { size: 2, tags: [] } }));
  await Promise.race([back.promise, answer]);
  const returned = Bun.serve({ hostname: '127.0.0.1', port, fetch: (request) => app.request(request) });
  try {
    expect(await answer).toEqual({ id: 'a', actor: 'agent:agt_1', size: 2 });
    expect(cuts).toBe(2);
    await expect(unwrap(gone.$get())).rejects.toMatchObject({ code: 'stale_revision' });
  } finally {
    await returned.stop(true);
  }
});

test('bad input names every wrong field by path', async () => {
  const response = await app.request('/things/a', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-control-center-actor': 'agent:agt_1' },
    body: JSON.stringify({ size: 'x', tags: [1] }),
  });
  expect(response.status).toBe(400);
  const problem = (await response.json()) as { code: string; errors: { faults: { path: string }[] } };
  expect(problem.code).toBe('invalid_request');
  expect(problem.errors.faults.map((fault) => fault.path)).toEqual(['size', 'tags[0]']);
});

test('a body that is not JSON is bad input, not a failure of the server', async () => {
  const headers = { 'content-type': 'application/json', 'x-control-center-actor': 'agent:agt_1' };
  const response = await app.request('/things/a', { method: 'POST', headers, body: '{"size":' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
});

test('an unexpected error is answered without its text', async () => {
  const response = await app.request('/broken', { headers: { 'x-control-center-actor': 'agent:agt_1' } });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('hunter2');
});

test('a route without an actor answers 401', async () => {
  expect((await app.request('/gone')).status).toBe(401);
});

const edge = createEdge({
  hosts: () => ['127.0.0.1:4400', 'localhost:4400'],
  bearerOf: async (token, path) => {
    if (token === 'narrow' && path === '/only') {
      return { actor: 'agent:agt_1', headers: { 'x-control-center-run': 'run_1' } };
    }
    return token === 'good' ? { actor: 'person:mem_1' } : null;
  },
  serviceToken: 'service-token-of-sixteen',
  handle: (request) =>
    Response.json({
      actor: request.headers.get('x-control-center-actor'),
      token: request.headers.get('authorization'),
      run: request.headers.get('x-control-center-run'),
    }),
  log: silentLog,
});
const ask = (headers: Record<string, string>, path = '/api/me') =>
  edge(new Request(`http://127.0.0.1:4400${path}`, { headers: { host: '127.0.0.1:4400', ...headers } }));

test('the edge refuses a foreign host or origin before it looks at the token', async () => {
  expect((await ask({ host: 'evil.example', authorization: 'Bearer good' })).status).toBe(403);
  expect((await ask({ origin: 'http://evil.example', authorization: 'Bearer good' })).status).toBe(403);
  expect((await ask({ origin: 'null', authorization: 'Bearer good' })).status).toBe(403);
  expect((await ask({ origin: 'http://127.0.0.1:4400', authorization: 'Bearer good' })).status).toBe(200);
});

test('the edge serves nothing but the health check without a token', async () => {
  expect((await ask({})).status).toBe(401);
  expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await ask({ authorization: 'good' })).status).toBe(401);
  expect((await ask({}, '/api/workspaces/ws_1/events')).status).toBe(401);
  expect((await ask({}, '/healthz')).status).toBe(200);
});

test('nobody outside names another actor or a run, a peer service can, and no token goes further in', async () => {
  const inner = { 'x-control-center-actor': 'agent:agt_2', 'X-Control-Center-Run': 'run_2' };
  const forged = await ask({ authorization: 'Bearer good', ...inner });
  expect(await forged.json()).toEqual({ actor: 'person:mem_1', token: null, run: null });
  const narrow = await ask({ authorization: 'Bearer narrow', ...inner }, '/only');
  expect(await narrow.json()).toEqual({ actor: 'agent:agt_1', token: null, run: 'run_1' });
  expect((await ask({ authorization: 'Bearer narrow', ...inner }, '/only/more')).status).toBe(401);
  const peer = await ask({ authorization: 'Bearer service-token-of-sixteen', ...inner });
  expect(await peer.json()).toEqual({ actor: 'agent:agt_2', token: null, run: 'run_2' });
});

test('a waiter is woken by its key alone, by its time and by its signal', async () => {
  const wakes = new Wakes();
  const order: string[] = [];
  const a = wakes.wait('a', 60_000).then(() => order.push('a'));
  const b = wakes.wait('b', 60_000).then(() => order.push('b'));
  wakes.wake('b');
  await b;
  wakes.wake('a');
  await a;
  await wakes.wait('c', 1);
  await wakes.wait('c', 60_000, AbortSignal.abort());
  expect(order).toEqual(['b', 'a']);
});
