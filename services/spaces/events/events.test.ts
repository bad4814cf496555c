import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Hono } from 'hono';
import { ACTOR_HEADER } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { silentLog } from '../../kit/log.ts';
import { type ServiceEnv, withFaults } from '../../kit/service-app.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { createPresence } from '../presence/presence.ts';
import { eventRoutes } from './routes.ts';

const directory = temporaryDirectory();
const stopping = new AbortController();
let open: OpenSpaces;
let ws: string;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Events');
});
afterAll(async () => {
  stopping.abort();
  await open.close();
  directory.remove();
});

interface Frame {
  id: number;
  event: string;
  data: WorkspaceEvent;
}

/** Reads an event stream frame by frame; comments are counted. */
class Reader {
  comments: string[] = [];
  #buffer = '';
  readonly #source;

  constructor(response: Response) {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    this.#source = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  async next(): Promise<Frame | null> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.#source.read();
        if (done) return null;
        this.#buffer += new TextDecoder().decode(value);
        continue;
      }
      const text = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + 2);
      if (!text.startsWith(':')) return frameOf(text);
      this.comments.push(text);
    }
  }

  async upTo(seq: number): Promise<Frame[]> {
    const frames: Frame[] = [];
    while ((frames.at(-1)?.id ?? 0) < seq) {
      const frame = await this.next();
      if (!frame) break;
      frames.push(frame);
    }
    return frames;
  }

  cancel(): Promise<void> {
    return this.#source.cancel();
  }
}

function frameOf(text: string): Frame {
  const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) };
}

const follow = async (
  query: string,
  headers: Record<string, string> = {},
  app: { request: Hono['request'] } = open.spaces.app as unknown as Hono,
) =>
  new Reader(
    await app.request(`/api/workspaces/${ws}/events?follow=1${query}`, {
      headers: { [ACTOR_HEADER]: open.person, ...headers },
    }),
  );
const write = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      open.call('POST', `/workspaces/${ws}/projects`, { name: `P${i}` }),
    ),
  );

test('reconnecting at N gives exactly N+1 and on, while others write', async () => {
  const writing = (async () => {
    for (let i = 0; i < 20; i++) await write(10);
  })();
  const got: number[] = [];
  while (got.length < 150) {
    const last = got.at(-1);
    const reader = await follow('&after=0', last === undefined ? {} : { 'last-event-id': String(last) });
    for (let i = 0; i < 7; i++) got.push((await reader.next())?.id ?? -1);
    await reader.cancel();
  }
  await writing;
  const total = (await open.events(ws)).length;
  const rest = await (await follow('', { 'last-event-id': String(got.at(-1)) })).upTo(total);
  const all = [...got, ...rest.map(({ id }) => id)];
  expect(all).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  expect(rest.every(({ event, data, id }) => data.type === event && data.seq === id)).toBe(true);
});

test('many followers all see the same events in the same order', async () => {
  const from = (await open.events(ws)).length;
  const readers = await Promise.all(Array.from({ length: 8 }, () => follow(`&after=${from}`)));
  const [seen] = await Promise.all([Promise.all(readers.map((reader) => reader.upTo(from + 30))), write(30)]);
  for (const frames of seen) expect(frames).toEqual(seen[0]!);
  expect(seen[0]?.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => from + 1 + i));
  await Promise.all(readers.map((reader) => reader.cancel()));
});

test('a reader that does not read slows no writer and misses nothing', async () => {
  const timed = async () => {
    const startedAt = performance.now();
    await write(100);
    return performance.now() - startedAt;
  };
  await timed();
  const aloneMs = Math.min(await timed(), await timed());
  const from = (await open.events(ws)).length;
  const stuck = await Promise.all(Array.from({ length: 20 }, () => follow(`&after=${from}`)));
  const besideMs = Math.min(await timed(), await timed());
  expect(besideMs).toBeLessThan(aloneMs * 3 + 200);
  const frames = await (stuck[0] as Reader).upTo(from + 200);
  expect(frames.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, i) => from + 1 + i));
  await Promise.all(stuck.map((reader) => reader.cancel()));
});

test('a silent stream opens at once, sends heartbeats, and ends when the service stops', async () => {
  const from = (await open.events(ws)).length;
  const routes = eventRoutes(open.deps, createPresence(Date.now), stopping.signal, 20);
  const app = withFaults(new Hono<ServiceEnv>().route('/', routes), silentLog);
  const reader = await follow(`&after=${from}`, {}, app as unknown as Hono);
  const ended = reader.next();
  const giveUpAt = Date.now() + 5_000;
  while (reader.comments.length < 4 && Date.now() < giveUpAt) await new Promise(setImmediate);
  expect(reader.comments.slice(0, 4)).toEqual([': open', ': heartbeat', ': heartbeat', ': heartbeat']);
  stopping.abort();
  expect(await ended).toBeNull();
});

test('without follow the log is JSON, a page at a time, up to 1000', async () => {
  const { body } = await open.call('GET', `/workspaces/${ws}/events?after=3&limit=2`);
  expect([body.items.map(({ seq }: WorkspaceEvent) => seq), body.next]).toEqual([[4, 5], '5']);
  const total = (await open.events(ws)).length;
  const end = await open.call('GET', `/workspaces/${ws}/events?after=${total}`);
  expect(end.body).toEqual({ items: [], next: null });
  expect((await open.call('GET', `/workspaces/${ws}/events?limit=1001`)).status).toBe(400);
});

test('a wrong cursor is refused by name', async () => {
  const query = await open.call('GET', `/workspaces/${ws}/events?after=x`);
  expect(query.body.errors.faults[0].path).toBe('after');
  const response = await open.spaces.app.request(`/api/workspaces/${ws}/events?follow=1`, {
    headers: { [ACTOR_HEADER]: open.person, 'last-event-id': '1 OR 1' },
  });
  expect(response.status).toBe(400);
  await response.text();
});
