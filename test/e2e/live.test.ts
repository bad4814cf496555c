import { afterAll, beforeAll, expect, test } from 'bun:test';
import { GOING_AWAY, RIGHTS_CHANGED } from '../../services/live/live.ts';
import { connectLive, type TestClient } from '../../services/live/test-client.ts';
import { ownerToken, type ServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';
import { startThree } from './three-processes.ts';
import {
  call,
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  scriptOf,
  spaceWith,
  toolCall,
  until,
  type World,
} from './world.ts';

const CUT_MS = 10_000;

const script = scriptOf(
  onWord('TELL-ME', { text: 'It was a long story, told slowly.', chunkChars: 3, chunkDelayMs: 60 }),
  onWord('ASK-ME', { tools: [toolCall('ask_user', { question: 'Which?' })] }, { text: 'Thanks.' }),
);

let world: World;
let ws: string;
let space: Json;

beforeAll(async () => {
  world = await createWorld(script);
  const founding = await founded(world, 'live');
  ws = founding.ws;
  space = await spaceWith(world, ws, founding.agents.engineer!);
}, 30_000);
afterAll(() => world.end());

const bearer = () => ({ authorization: `Bearer ${ownerToken(world.stage.dataDir)}` });
const last = async () => Number((await world.ok('GET', `${ws}/events?limit=1000`)).items.at(-1).seq);
const seqs = (client: TestClient, id: number) => client.of(id).map(({ eventId }) => Number(eventId));
const hasSeq = (id: number, seq: number) => (frame: Json) => frame.id === id && Number(frame.eventId) >= seq;

/** A browser's cookie, of somebody who signed in with a code. */
async function signIn(url: string, code: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code }),
  });
  expect(response.status).toBe(200);
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

test('through a kill of the server every event comes once, in order', async () => {
  const from = await last();
  const first = await connectLive(world.server.url, bearer());
  first.open(1, `${ws}/events?follow=1&after=${from}`);
  for (let n = 0; n < 20; n++) await world.ok('POST', `${ws}/projects`, { name: `before ${n}` });
  await first.frame(hasSeq(1, from + 5));
  await world.restart();
  await first.closed;
  const got = seqs(first, 1);
  for (let n = 0; n < 20; n++) await world.ok('POST', `${ws}/projects`, { name: `after ${n}` });
  const second = await connectLive(world.server.url, bearer());
  second.open(1, `${ws}/events?follow=1&after=${from}`, String(got.at(-1)));
  const end = await last();
  await second.frame(hasSeq(1, end));
  const all = [...got, ...seqs(second, 1)];
  expect(all).toEqual(Array.from({ length: end - from }, (_, i) => from + 1 + i));
  second.socket.close();
}, 60_000);

test('what a run says is whole for who comes in the middle, beside all else on the same connection', async () => {
  const client = await connectLive(world.server.url, bearer());
  client.open(1, `${ws}/events?follow=1&after=${await last()}`);
  client.open(2, `${ws}/presence/stream?focus=${encodeURIComponent(`space:${space.id}`)}`);
  client.open(3, `${ws}/activities/stream`);
  await post(world, ws, space, 'TELL-ME');
  const started = await client.frame((frame) => 'event' in frame && frame.event === 'run.started');
  const runId = ((started as Json).data as Json).subject as string;
  client.open(4, `${ws}/runs/${runId}/stream`);
  await until(
    async () => client.of(4).length,
    (count) => count > 3,
  );
  client.open(5, `${ws}/runs/${runId}/stream`);
  await client.frame((frame) => 'end' in frame && frame.id === 5);
  for (const id of [4, 5]) {
    const items = client.of(id).map(({ data }) => data as Json);
    expect(items[0]).toMatchObject({ type: 'snapshot', answered: 0 });
    const text = items.map((item) => (['snapshot', 'text'].includes(item.type) ? item.text : '')).join('');
    expect(text).toBe('It was a long story, told slowly.');
    expect(items.slice(-2).map(({ type }) => type)).toEqual(['answered', 'left']);
  }
  const { items } = await world.ok('GET', `${ws}/presence`);
  expect(items[0]).toMatchObject({ kind: 'person', focus: [`space:${space.id}`] });
  expect(client.of(3).length).toBeGreaterThan(1);
  client.socket.close();
}, 30_000);

test('a signed-in browser has it from its own page alone, and no longer than it is signed in', async () => {
  const { url } = world.server;
  const { code } = await world.ok('POST', '/api/sign-in-codes', {});
  const cookie = await signIn(url, code);
  await expect(connectLive(url, { cookie })).rejects.toThrow('not let in');
  await expect(connectLive(url, { cookie, origin: 'http://evil.example' })).rejects.toThrow('not let in');
  const client = await connectLive(url, { cookie, origin: url });
  client.open(1, `${ws}/presence/stream`);
  await client.frame((frame) => 'event' in frame && frame.event === 'snapshot');
  const signedOutAt = performance.now();
  const left = await fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie, origin: url } });
  expect(left.ok).toBe(true);
  expect((await client.closed).code).toBe(RIGHTS_CHANGED);
  expect(performance.now() - signedOutAt).toBeLessThan(CUT_MS);
  await expect(connectLive(url, { cookie, origin: url })).rejects.toThrow('not let in');
}, 30_000);

test('a person whose role changes comes again, as who it is now', async () => {
  const { url } = world.server;
  const member = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
  const { code } = await world.ok('POST', '/api/sign-in-codes', { memberId: member.id });
  const cookie = await signIn(url, code);
  const client = await connectLive(url, { cookie, origin: url });
  client.open(1, `${ws}/events?follow=1`);
  const isMara = ({ memberId }: Json) => memberId === member.id;
  const here = async () => (await world.ok('GET', `${ws}/presence`)).items.find(isMara);
  await until(here, (item) => item?.decides === true);
  await world.ok('PATCH', `/api/members/${member.id}`, { role: 'viewer' });
  expect((await client.closed).code).toBe(RIGHTS_CHANGED);
  const again = await connectLive(url, { cookie, origin: url });
  again.open(1, `${ws}/events?follow=1`);
  await again.frame((frame) => 'event' in frame);
  expect(await here()).toMatchObject({ role: 'viewer', decides: false });
  again.socket.close();
}, 30_000);

test('a server that is told to end says so', async () => {
  const client = await connectLive(world.server.url, bearer());
  client.open(1, `${ws}/presence/stream`);
  await client.frame((frame) => 'event' in frame);
  const ended = world.server.kill('SIGTERM');
  expect((await client.closed).code).toBe(GOING_AWAY);
  expect(client.frames.some((frame) => 'end' in frame)).toBe(false);
  await ended;
  await world.restart();
}, 30_000);

test('each of three processes carries the streams of all of them, and each lets go of who signed out', async () => {
  const stage: Stage = createStage(script);
  let servers: ServerProcess[] = [];
  try {
    servers = await startThree(stage.env);
    const headers = { authorization: `Bearer ${ownerToken(stage.dataDir)}` };
    const ok = async (method: string, path: string, body?: unknown) =>
      (await call(servers[0]!.url, method, path, body, headers)).body;
    const { id } = await ok('POST', '/api/workspaces', { name: 'apart' });
    const at = `/api/workspaces/${id}`;
    await until(
      () => ok('GET', at),
      ({ state }) => state === 'ready',
    );
    const { items: agents } = await ok('GET', `${at}/agents`);
    const room = await ok('POST', `${at}/spaces`, { name: 'room', agents: [agents[0].id] });
    const clients = await Promise.all(servers.map(({ url }) => connectLive(url, headers)));
    for (const client of clients) {
      client.open(1, `${at}/events?follow=1`);
      client.open(2, `${at}/presence/stream`);
      client.open(3, `${at}/activities/stream`);
    }
    await ok('POST', `${at}/conversations/${room.mainConversationId}/messages`, { body: 'TELL-ME' });
    const isStarted = (frame: object) => 'event' in frame && frame.event === 'run.started';
    for (const client of clients) {
      const { data } = (await client.frame(isStarted)) as Json;
      client.open(4, `${at}/runs/${data.subject}/stream`);
    }
    for (const client of clients) {
      await client.frame((frame) => 'end' in frame && frame.id === 4);
      const items = client.of(4).map(({ data }) => data as Json);
      expect(items.map(({ text }) => text ?? '').join('')).toBe('It was a long story, told slowly.');
      expect(client.of(2)[0]?.event).toBe('snapshot');
      expect(client.of(3).length).toBeGreaterThan(0);
    }
    // The process of runs dies: what it told has ended, what the others tell goes on.
    await servers[1]!.kill();
    await clients[0]!.frame((frame) => 'end' in frame && frame.id === 3);
    clients[0]!.open(5, `${at}/activities/stream`);
    expect(await clients[0]!.frame((frame) => 'problem' in frame && frame.id === 5)).toMatchObject({
      problem: { code: 'unavailable', status: 503, retryable: true },
    });
    await ok('POST', `${at}/projects`, { name: 'still here' });
    await clients[2]!.frame((frame) => 'event' in frame && frame.event === 'project.created');

    const { code } = await ok('POST', '/api/sign-in-codes', {});
    const [spaces, , orchestration] = servers.map(({ url }) => url);
    const cookie = await signIn(spaces!, code);
    const elsewhere = cookie.replace(/_\d+=/, `_${new URL(orchestration!).port}=`);
    const browsers = [
      await connectLive(spaces!, { cookie, origin: spaces! }),
      await connectLive(orchestration!, { cookie: elsewhere, origin: orchestration! }),
    ];
    const signedOutAt = performance.now();
    await fetch(`${spaces}/api/session`, { method: 'DELETE', headers: { cookie, origin: spaces! } });
    for (const { closed } of browsers) expect((await closed).code).toBe(RIGHTS_CHANGED);
    expect(performance.now() - signedOutAt).toBeLessThan(CUT_MS);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await stage.remove();
  }
}, 90_000);
