import { readSse } from '../../services/kit/read-sse.ts';
import { connectLive } from '../../services/live/test-client.ts';
import { ownerToken } from '../e2e/server-process.ts';
import { createWorld, founded, scriptOf, until, type World } from '../e2e/world.ts';
import type { BenchRow } from './core.bench.ts';
import { limitRow } from './limit.ts';

const READERS = 50;
const ROUNDS = 6;
const EVENTS = 20;
/** Of an event, on its way from the commit to a screen, this is the server's part and the wire's. */
const MOST_MS = 50;

/** When each reader had an event, by its number. */
type Arrivals = Map<number, number[]>;
type Way = (world: World, path: string, seen: (seq: number) => void) => Promise<() => void>;

/** From an event's commit to 50 readers in one process, each on a connection: sockets next to plain event streams. */
export async function liveBench(): Promise<BenchRow[]> {
  const world = await createWorld(scriptOf());
  try {
    const { ws } = await founded(world, 'live');
    const sockets: number[][] = [];
    const streams: number[][] = [];
    // The first round is for compiling.
    for (let round = 0; round <= ROUNDS; round++) {
      const ofStreams = await delays(world, ws, overStreams);
      const ofSockets = await delays(world, ws, overSockets);
      if (round === 0) continue;
      streams.push(ofStreams);
      sockets.push(ofSockets);
    }
    const p95s = sockets.map((values) => quantile(values, 0.95));
    return [ratioRow(streams, sockets), limitRow(`event to ${READERS} sockets, p95`, p95s, MOST_MS, 'ms')];
  } finally {
    await world.end();
  }
}

/** Milliseconds from the commit of each event to each reader. */
async function delays(world: World, ws: string, way: Way): Promise<number[]> {
  const { items } = await world.ok('GET', `${ws}/events?limit=1000`);
  const from = items.at(-1).seq as number;
  const arrivals: Arrivals = new Map();
  const seen = (seq: number) => {
    const at = performance.timeOrigin + performance.now();
    arrivals.set(seq, [...(arrivals.get(seq) ?? []), at]);
  };
  const path = `${ws}/events?follow=1&after=${from}&attending=0`;
  const leave = await Promise.all(Array.from({ length: READERS }, () => way(world, path, seen)));
  for (let n = 1; n <= EVENTS; n++) {
    await world.ok('POST', `${ws}/projects`, { name: `round ${n}` });
    await until(
      async () => arrivals.get(from + n)?.length,
      (count) => count === READERS,
    );
  }
  for (const end of leave) end();
  const { items: events } = await world.ok('GET', `${ws}/events?after=${from}`);
  const madeAt = new Map<number, number>(events.map(({ seq, at }: { seq: number; at: number }) => [seq, at]));
  return [...arrivals].flatMap(([seq, times]) => times.map((at) => at - madeAt.get(seq)!));
}

async function overSockets(world: World, path: string, seen: (seq: number) => void): Promise<() => void> {
  const client = await connectLive(world.server.url, { authorization: tokenOf(world) });
  client.socket.onmessage = ({ data }) => seen(Number(JSON.parse(String(data)).eventId));
  client.open(1, path);
  return () => client.socket.close();
}

async function overStreams(world: World, path: string, seen: (seq: number) => void): Promise<() => void> {
  const leaving = new AbortController();
  const response = await fetch(world.server.url + path, {
    ...{ headers: { authorization: tokenOf(world) }, signal: leaving.signal },
  });
  const reading = async () => {
    for await (const { data } of readSse(response.body!)) seen(Number(JSON.parse(data).seq));
  };
  reading().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return () => leaving.abort();
}

function tokenOf({ stage }: World): string {
  return `Bearer ${ownerToken(stage.dataDir)}`;
}

function ratioRow(streams: number[][], sockets: number[][]): BenchRow {
  const ratios = sockets.map((values, i) => quantile(streams[i]!, 0.5) / quantile(values, 0.5));
  const [all, plain] = [sockets.flat(), streams.flat()];
  const text = (values: number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms`;
  return {
    name: `event to ${READERS} sockets against event streams`,
    ...{ ratio: quantile(ratios, 0.5), p10: quantile(ratios, 0.1), p90: quantile(ratios, 0.9) },
    ...{ floor: 0.5, unit: 'stream ÷ socket', detail: `sockets ${text(all)}; streams ${text(plain)}` },
  };
}

function quantile(values: readonly number[], p: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.round((ascending.length - 1) * p)]!;
}
