import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { Hono } from 'hono';
import { ACTOR_HEADER, type Actor } from '../../kit/actor.ts';
import { silentLog } from '../../kit/log.ts';
import { type ServiceEnv, withFaults } from '../../kit/service-app.ts';
import { eventRoutes } from '../events/routes.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { createPresence, GRACE_MS } from './presence.ts';

const directory = temporaryDirectory();
let nowMs = 1_800_000_000_000;
let open: OpenSpaces;
let ws: string;
let count = 0;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
});
beforeEach(async () => {
  ws = await readyWorkspace(open, 'Presence');
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

/** Follows the events until the returned function is called; the stream is open when this resolves. */
async function follow(actor: Actor, query = 'follow=1', workspaceId = ws): Promise<() => Promise<void>> {
  const path = `/api/workspaces/${workspaceId}/events?${query}`;
  const response = await open.spaces.app.request(path, { headers: { [ACTOR_HEADER]: actor } });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return () => reader.cancel();
}

const asked = async (): Promise<string> => {
  const wish = { kind: 'action', requester: 'agent:agt_1', subject: 'x', arguments: { n: ++count } };
  const body = { ...wish, whenNobody: 'refuse', key: `call/${count}` };
  return (await open.call('POST', `/workspaces/${ws}/approvals`, body, 'service:runs')).body.status;
};

test('an action is refused while nobody is connected, and waits while somebody is and ten seconds after', async () => {
  expect(await asked()).toBe('unattended');
  const leave = await follow(open.person);
  expect(await asked()).toBe('pending');
  nowMs += 3_600_000;
  expect(await asked()).toBe('pending');
  await leave();
  expect(await asked()).toBe('pending');
  nowMs += GRACE_MS - 1;
  expect(await asked()).toBe('pending');
  nowMs += 1;
  expect(await asked()).toBe('unattended');
});

test('nobody is connected by asking for the stream without reading it', async () => {
  const path = `/api/workspaces/${ws}/events?follow=1`;
  const headers = { [ACTOR_HEADER]: open.person };
  expect((await open.spaces.app.request(path, { method: 'HEAD', headers })).status).toBe(200);
  expect((await open.spaces.app.request(path, { headers })).status).toBe(200);
  nowMs += GRACE_MS;
  expect(await asked()).toBe('unattended');
});

test('a stream that breaks off has ended as one that is left', async () => {
  const presence = createPresence(() => nowMs);
  const broken = { ...open.deps.databases, wakes: open.deps.databases.wakes, open: firstOnly() };
  const deps = { ...open.deps, databases: broken as unknown as OpenSpaces['deps']['databases'] };
  const app = new Hono<ServiceEnv>().route('/', eventRoutes(deps, presence, new AbortController().signal));
  const path = `/api/workspaces/${ws}/events?follow=1`;
  const response = await withFaults(app, silentLog).request(path, {
    headers: { [ACTOR_HEADER]: open.person },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await expect(reader.read()).rejects.toThrow('the disk is gone');
  nowMs += GRACE_MS;
  expect(presence.isAttended(ws)).toBe(false);
});

/** Opens the database once, and then no more. */
function firstOnly(): (workspaceId: string) => Promise<unknown> {
  let count = 0;
  return (workspaceId) =>
    count++ === 0 ? open.deps.databases.open(workspaceId) : Promise.reject(new Error('the disk is gone'));
}

test('of two connections the last one counts', async () => {
  const leave = [await follow(open.person), await follow(await addMember(open, 'operator'))];
  await leave[0]?.();
  nowMs += GRACE_MS * 2;
  expect(await asked()).toBe('pending');
  await leave[1]?.();
  nowMs += GRACE_MS;
  expect(await asked()).toBe('unattended');
});

test('who cannot or will not decide is not there', async () => {
  const viewer = await addMember(open, 'viewer');
  const elsewhere = await readyWorkspace(open, 'Elsewhere');
  const leave = [
    await follow(viewer),
    await follow('person:mem_stranger'),
    await follow('agent:agt_1'),
    await follow('service:runs'),
    await follow(open.person, 'follow=1&attending=0'),
    await follow(open.person, 'follow=0'),
    await follow(open.person, 'follow=1', elsewhere),
  ];
  expect(await asked()).toBe('unattended');
  for (const end of leave) await end();
});

test('leaving twice is leaving once, and a clock that was set back lets nobody stay', () => {
  let now = 50_000;
  const presence = createPresence(() => now);
  const person = { memberId: 'mem_1', decides: true };
  const leave = [presence.connect('ws_1', person), presence.connect('ws_1', person)];
  leave[0]?.();
  leave[0]?.();
  now += GRACE_MS * 2;
  expect([presence.isAttended('ws_1'), presence.isAttended('ws_2')]).toEqual([true, false]);
  leave[1]?.();
  expect(presence.isAttended('ws_1')).toBe(true);
  now -= 1;
  expect(presence.isAttended('ws_1')).toBe(false);
});
