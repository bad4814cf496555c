import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readSse, type SseMessage } from '../../services/kit/read-sse.ts';
import { ownerToken } from './server-process.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  runOf,
  scriptOf,
  spaceWith,
  until,
  type World,
} from './world.ts';

/** Servers and proxies close what is quiet for as long as this. */
const IDLE_MS = 15_000;

let world: World;
let ws: string;
let space: Json;

beforeAll(async () => {
  // What was said before is quoted in each prompt, so the later word comes first.
  const slow = { text: 'It took its time.', delayMs: IDLE_MS + 2_000 };
  world = await createWorld(scriptOf(onWord('QUICK', { text: 'At once.' }), onWord('SLOW', slow)));
  const founding = await founded(world, 'streams');
  ws = founding.ws;
  space = await spaceWith(world, ws, founding.agents.engineer!);
});
afterAll(() => world.end());

async function follow(path: string, lastEventId?: number): Promise<AsyncGenerator<SseMessage>> {
  const response = await fetch(world.server.url + path, {
    headers: {
      authorization: `Bearer ${ownerToken(world.stage.dataDir)}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  expect(response.status).toBe(200);
  return readSse(response.body!);
}

async function upTo(stream: AsyncGenerator<SseMessage>, isLast: (message: SseMessage) => boolean) {
  const seen: SseMessage[] = [];
  // Not `for await`, which closes what it leaves.
  for (let next = await stream.next(); !next.done; next = await stream.next()) {
    seen.push(next.value);
    if (isLast(next.value)) return seen;
  }
  throw new Error(`the stream ended after ${JSON.stringify(seen.map(({ event }) => event))}`);
}

test('a connection that is idle for longer than 15 s stays open and tells what comes then', async () => {
  const { items } = await world.ok('GET', `${ws}/events?after=0`);
  const events = await follow(`${ws}/events?follow=1&after=${items.at(-1).seq}`);
  const { message } = await post(world, ws, space, 'SLOW');
  const started = await upTo(events, ({ event }) => event === 'run.started');
  const runId = JSON.parse(started.at(-1)!.data).subject as string;
  const live = await follow(`${ws}/runs/${runId}/stream`);
  const from = performance.now();
  const [told, deltas] = await Promise.all([
    upTo(events, ({ event }) => event === 'run.answered'),
    upTo(live, ({ event }) => event === 'left'),
  ]);
  expect(performance.now() - from).toBeGreaterThan(IDLE_MS);
  expect(JSON.parse(told.at(-1)!.data).data.text).toBe('It took its time.');
  const text = deltas.filter(({ event }) => event === 'text').map(({ data }) => JSON.parse(data).text);
  expect(text.join('')).toBe('It took its time.');
  expect(await runOf(world, ws, message.id)).toMatchObject({ status: 'completed' });
}, 60_000);

test('a reader cut off by a kill of the server goes on at the next event with the number of its last', async () => {
  const { items } = await world.ok('GET', `${ws}/events?after=0`);
  const from = items.at(-1).seq as number;
  const first = await follow(`${ws}/events?follow=1&after=${from}`);
  await post(world, ws, space, 'QUICK one');
  const before = await upTo(first, ({ event }) => event === 'message.posted');
  await world.restart();
  const last = Number(before.at(-1)!.id);
  const again = await follow(`${ws}/events?follow=1`, last);
  await post(world, ws, space, 'QUICK two');
  await until(
    () => world.ok('GET', `${ws}/runs`),
    (runs) => runs.items.every(({ endedAt }: Json) => endedAt !== null),
  );
  const { items: all } = await world.ok('GET', `${ws}/events?after=${from}`);
  const after = await upTo(again, ({ id }) => Number(id) === all.at(-1).seq);
  const numbers = [...before, ...after].map(({ id }) => Number(id));
  expect(numbers).toEqual(all.map(({ seq }: Json) => seq));
  expect(numbers).toEqual(numbers.map((_, i) => from + 1 + i));
}, 60_000);
