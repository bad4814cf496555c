import { afterEach, expect, test } from 'bun:test';
import { MOST_AT_ONCE } from './frame-allowance.ts';
import { GOING_AWAY, LIVE_PATH, type LiveTimes, RIGHTS_CHANGED, SILENT } from './live.ts';
import { MOST_BUFFERED_BYTES, MOST_STREAMS } from './live-socket.ts';
import { MOST_CLIENT_FRAME_BYTES } from './protocol.ts';
import { connectBare, connectLive, type TestClient } from './test-client.ts';
import { EVENTS, startCounter } from './test-counter.ts';

type Counter = ReturnType<typeof startCounter>;
let counter: Counter;
const clients: TestClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.close();
  counter.live.stop();
  await counter.server.stop(true);
});

const TOKEN = { authorization: 'Bearer cc_token' };

async function join(headers: Record<string, string> = TOKEN): Promise<TestClient> {
  const client = await connectLive(counter.url, headers);
  clients.push(client);
  return client;
}
const start = (times: Partial<LiveTimes> = {}) => {
  counter = startCounter(times);
  return join();
};
const numbers = (client: TestClient, id: number) =>
  client.of(id).map(({ data }) => (data as { n: number }).n);
const isEnd = (id: number) => (frame: object) => 'end' in frame && 'id' in frame && frame.id === id;
const isProblem = (id: number | null) => (frame: object) =>
  'problem' in frame && 'id' in frame && frame.id === id;

test('a stream is told under its number, with the ids to go on from, until its end', async () => {
  counter = startCounter();
  // Who somebody is, the edge alone says.
  const client = await join({ ...TOKEN, 'x-control-center-actor': 'person:mem_2' });
  client.open(7, EVENTS);
  client.open(8, EVENTS, '1');
  await Promise.all([client.frame(isEnd(7)), client.frame(isEnd(8))]);
  expect(client.of(7)).toEqual(
    [1, 2, 3].map((n) => ({ id: 7, event: 'counted', data: { n, padding: '' }, eventId: String(n) })),
  );
  expect(numbers(client, 8)).toEqual([2, 3]);
  const [{ headers, method } = new Request('http://none')] = counter.facts.seen;
  expect([method, headers.get('x-control-center-actor')]).toEqual(['GET', 'person:mem_1']);
  expect([headers.get('authorization'), headers.get('cookie')]).toEqual([null, null]);
});

test('what is no stream is refused by name and asked of nobody', async () => {
  const client = await start();
  const foreign = [
    '/api/workspaces/ws_1/events',
    '/api/workspaces/ws_1/events?follow=0',
    '/api/workspaces/ws_1/events?follow=1&follow=0',
    '/api/workspaces/ws_1/inbox',
    '/api/workspaces/ws_1/../../api/me',
    '/api/workspaces/ws_1/runs/../events?follow=1',
    '/api/workspaces/ws_1/runs/run_1/stream/',
    '/api/workspaces/ws_1/runs/run_1%2fpage/stream',
    '/api/workspaces/ws_1/presence/stream#x',
    '//evil.example/api/workspaces/ws_1/events?follow=1',
    'http://evil.example/api/workspaces/ws_1/events?follow=1',
    '/api/live',
    '',
  ];
  for (const [id, path] of foreign.entries()) {
    client.open(id, path);
    expect(await client.frame(isProblem(id))).toMatchObject({
      problem: { code: 'invalid_request', status: 400 },
    });
  }
  expect(counter.facts.seen).toEqual([]);
  client.open(100, '/api/workspaces/ws_1/runs/run_gone/stream');
  expect(await client.frame(isProblem(100))).toMatchObject({
    problem: {
      code: 'not_found',
      title: 'not found',
      detail: 'There is none.',
      status: 404,
      retryable: false,
    },
  });
});

test('a frame that cannot be read is answered, and one that is too long ends the connection', async () => {
  const client = await start();
  for (const frame of [
    '{',
    '[]',
    { op: 'shut' },
    { op: 'open', id: -1, path: EVENTS },
    new Uint8Array([1]),
  ]) {
    client.frames.length = 0;
    if (frame instanceof Uint8Array) client.socket.send(frame);
    else client.send(frame);
    expect(await client.frame(isProblem(null))).toMatchObject({ problem: { code: 'invalid_request' } });
  }
  client.open(1, EVENTS, undefined);
  await client.frame(isEnd(1));
  client.send({ op: 'open', id: 2, path: 'x'.repeat(MOST_CLIENT_FRAME_BYTES) });
  expect((await client.closed).code).toBeOneOf([1006, 1009]);
});

test('a client that opens and closes without end is let go and told why, and its streams with it', async () => {
  const client = await start();
  client.open(0, `${EVENTS}&stay=1`);
  await client.frame((frame) => 'event' in frame);
  for (let id = 1; id <= MOST_AT_ONCE; id++) {
    client.open(id, EVENTS);
    client.send({ op: 'close', id });
  }
  expect(await client.closed).toMatchObject({
    code: 1008,
    reason: expect.stringContaining('frames at once'),
  });
  await until(() => counter.facts.open === 0);
  // It may come again, and another was never held up.
  const again = await join();
  again.open(1, EVENTS);
  await again.frame(isEnd(1));
});

test('a client has 64 streams at most, and room again for each that it closes', async () => {
  const client = await start();
  for (let id = 1; id <= MOST_STREAMS; id++) client.open(id, `${EVENTS}&stay=1`);
  client.open(65, EVENTS);
  expect(await client.frame(isProblem(65))).toMatchObject({ problem: { code: 'conflict' } });
  client.send({ op: 'close', id: 1 });
  client.open(66, EVENTS);
  await client.frame(isEnd(66));
  await until(() => counter.facts.open === MOST_STREAMS - 1);
  expect(numbers(client, 64)).toEqual([1, 2, 3]);
  client.socket.close();
  await until(() => counter.facts.open === 0 && counter.live.size === 0);
});

test('a number that is used twice is open no more', async () => {
  const client = await start();
  client.open(1, `${EVENTS}&stay=1`);
  client.open(1, `${EVENTS}&stay=1`);
  expect(await client.frame(isProblem(1))).toMatchObject({ problem: { code: 'conflict' } });
  await until(() => counter.facts.open === 0);
  client.open(1, EVENTS);
  await client.frame(isEnd(1));
});

test('a client that does not read holds a bounded part of its streams, and has all of it when it reads', async () => {
  await start();
  Object.assign(counter.facts, { last: 3_000, padding: 'x'.repeat(10_000) });
  const slow = await connectBare(counter.url, TOKEN);
  for (const id of [1, 2, 3]) slow.send(JSON.stringify({ op: 'open', id, path: EVENTS }));
  await until(() => counter.facts.produced > 100);
  let last = -1;
  while (last !== counter.facts.produced) {
    last = counter.facts.produced;
    await Bun.sleep(200);
  }
  // What the system's own buffers take is not ours to bound.
  expect(last * 10_000).toBeLessThan(MOST_BUFFERED_BYTES + (8 << 20));
  const read = await slow.read(3 * 3_000);
  for (const id of [1, 2, 3])
    expect(read.filter((one) => one.id === id).map(({ n }) => n)).toEqual(to(3_000));
  slow.end();
}, 30_000);

test('whoever says nothing to pings is gone, and whoever answers stays', async () => {
  const quiet = await start({ pingMs: 20, silentMs: 300 });
  const lively = await join();
  const answering = setInterval(() => lively.send({ op: 'pong' }), 20);
  await quiet.frame((frame) => 'op' in frame && frame.op === 'ping');
  expect((await quiet.closed).code).toBe(SILENT);
  expect(counter.live.size).toBe(1);
  clearInterval(answering);
});

test('whoever signs out, or may do something else than before, is let go; a wall that is away lets nobody go at once', async () => {
  const first = await start({ judgeMs: 20, unjudgedMs: 2_000 });
  first.open(1, `${EVENTS}&stay=1`);
  counter.facts.isAway = true;
  const { judged } = counter.facts;
  await until(() => counter.facts.judged > judged + 2);
  expect(counter.live.size).toBe(1);
  Object.assign(counter.facts, { isAway: false, isViewer: true });
  expect((await first.closed).code).toBe(RIGHTS_CHANGED);
  await until(() => counter.facts.open === 0);
  const second = await join();
  counter.facts.isKnown = false;
  expect((await second.closed).code).toBe(RIGHTS_CHANGED);
  await expect(join()).rejects.toThrow('not let in');
});

test('nobody stays when it cannot be found out who that is', async () => {
  const client = await start({ judgeMs: 20, unjudgedMs: 300 });
  counter.facts.isAway = true;
  expect((await client.closed).code).toBe(RIGHTS_CHANGED);
});

test('only who passes the wall gets in, and only as a WebSocket', async () => {
  await start();
  const plain = await fetch(counter.url + LIVE_PATH, { headers: TOKEN });
  expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([400, 'invalid_request']);
  expect((await fetch(counter.url + LIVE_PATH)).status).toBe(401);
  const foreign = { ...TOKEN, origin: 'http://evil.example' };
  await expect(connectLive(counter.url, foreign)).rejects.toThrow('not let in');
});

test('a server that ends says goodbye and takes nobody more', async () => {
  const client = await start();
  client.open(1, `${EVENTS}&stay=1`);
  await client.frame((frame) => 'event' in frame);
  counter.live.stop();
  expect((await client.closed).code).toBe(GOING_AWAY);
  await until(() => counter.facts.open === 0);
  await expect(join()).rejects.toThrow('not let in');
});

const to = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > giveUpAt) throw new Error('it did not come to that');
    await Bun.sleep(5);
  }
}
