import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Actor } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
const service: Actor = 'service:runs';
let nowMs = 1_800_000_000_000;
let open: OpenSpaces;
let ws: string;
let at: string;
let agent: { id: string; name: string };
let room: { id: string; mainConversationId: string };
let count = 0;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
  ws = await readyWorkspace(open, 'Inbox');
  at = `/workspaces/${ws}`;
  agent = (await open.call('GET', `${at}/agents`)).body.items[0];
  room = (await open.call('POST', `${at}/spaces`, { name: 'Room', mode: 'plan' })).body;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const ask = async (more: object = {}) => {
  const wish = { kind: 'action', requester: `agent:${agent.id}`, subject: 'x', arguments: { n: ++count } };
  return (await open.call('POST', `${at}/approvals`, { ...wish, key: `call/${count}`, ...more }, service))
    .body;
};
const inbox = async (query = '') => (await open.call('GET', `${at}/inbox${query}`)).body;
const decide = (id: string, decision: string) =>
  open.call('POST', `${at}/approvals/${id}/decision`, { decision, reason: 'so' });

test('it is empty, and true for the last event', async () => {
  expect(await inbox()).toEqual({ items: [], count: 0, seq: (await open.events(ws)).at(-1)?.seq });
});

test('what waits stands there newest first, with who asks, where and for how long', async () => {
  const first = await ask({ spaceId: room.id, rootRunId: 'run_0' });
  nowMs += 5_000;
  const second = await ask({ kind: 'question', requester: service, whenNobody: 'refuse' });
  const third = await ask({ whenNobody: 'refuse' });
  nowMs += 1_000;
  expect(await inbox()).toEqual({
    items: [
      { ...third, agentName: agent.name, spaceName: null, ageMs: 1_000 },
      { ...second, agentName: null, spaceName: null, ageMs: 1_000 },
      { ...first, agentName: agent.name, spaceName: 'Room', ageMs: 6_000 },
    ],
    count: 3,
    seq: (await open.events(ws)).at(-1)?.seq,
  });
  expect(third.status).toBe('unattended');
  const newest = await inbox('?limit=1');
  expect([newest.items.map(({ id }: { id: string }) => id), newest.count]).toEqual([[third.id], 3]);
  expect((await open.call('GET', `${at}/inbox?limit=0`)).status).toBe(400);
  for (const { id } of [first, second, third]) await decide(id, 'refused');
  expect(await inbox()).toMatchObject({ items: [], count: 0 });
});

/** What an event does to the count of whoever follows. */
function change({ type, data }: WorkspaceEvent): number {
  if (type === 'approval.requested') return ['pending', 'unattended'].includes(String(data.status)) ? 1 : 0;
  return type === 'approval.decided' || type === 'approval.superseded' ? -1 : 0;
}

test('the count is live: followed from its event number it is the count of every later moment', async () => {
  const steps = fc.constantFrom(
    'action',
    'unattended',
    'question',
    'exit',
    'chat',
    'plan',
    'end',
    'approved',
    'refused',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(steps, steps), { maxLength: 12 }), async (pairs) => {
      const before = await inbox();
      // Two at a time, so that commits fall between each other.
      for (const pair of pairs) await Promise.all(pair.map(step));
      const after = await inbox();
      const events = await open.events(ws);
      const between = events.filter(({ seq }) => seq > before.seq && seq <= after.seq);
      const followed = between.reduce((sum, event) => sum + change(event), before.count);
      expect(followed).toBe(after.count);
      expect(events.reduce((sum, event) => sum + change(event), 0)).toBe(after.count);
      expect(after.items.length).toBe(after.count);
    }),
    { numRuns: 25 },
  );
}, 60_000);

async function step(what: string): Promise<unknown> {
  const exit = { runId: 'run_1', conversationId: room.mainConversationId, summary: 's' };
  const { items } = await inbox();
  switch (what) {
    case 'action':
    case 'question':
      return ask({ kind: what, runId: 'run_1' });
    case 'unattended':
      return ask({ whenNobody: 'refuse', arguments: { same: true } });
    case 'exit':
      return open.call('POST', `${at}/spaces/${room.id}/plan-exit`, exit, `agent:${agent.id}`);
    case 'end':
      return open.call('POST', `${at}/approvals/supersede-of-run`, { runId: 'run_1' }, service);
    case 'chat':
    case 'plan':
      return open.call('PATCH', `${at}/spaces/${room.id}`, { mode: what });
    default:
      return items.length > 0 && decide(items[0].id, what);
  }
}
