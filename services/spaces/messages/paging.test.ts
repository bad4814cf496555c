import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const MANY = 10_000;

const directory = temporaryDirectory();
let nowMs = 1_800_000_000_000;
let open: OpenSpaces;
let ws: string;
let at: string;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
  ws = await readyWorkspace(open, 'Paging');
  at = `/workspaces/${ws}`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const room = async () => (await open.call('POST', `${at}/spaces`, { name: 'Room' })).body;
const post = async (conversationId: string, body: string): Promise<string> =>
  (await open.call('POST', `${at}/conversations/${conversationId}/messages`, { body })).body.message.id;
const page = (conversationId: string, query: string) =>
  open.call('GET', `${at}/conversations/${conversationId}/messages?${query}`);
const bodies = ({ body }: Awaited<ReturnType<typeof page>>) =>
  body.items.map((message: { body: string }) => message.body);

/** Writes what many people said in no time. */
async function fill(conversationId: string, count: number): Promise<void> {
  const database = await open.deps.databases.open(ws);
  const args = [count, conversationId, conversationId, open.person];
  await database.write('test.fill', [
    {
      sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO messages (id, conversationId, author, kind, body, data, mentions, attachments, createdAt, updatedAt, version)
        SELECT 'msg_' || ? || i, ?, ?, 'text', 'm' || i, '{}', '[]', '[]', i, i, 1 FROM n`,
      args,
    },
  ]);
}

test('paged backward from the newest, every message comes once, each page with the oldest first', async () => {
  const { mainConversationId: id } = await room();
  const other = (await room()).mainConversationId;
  const said: string[] = [];
  for (let n = 0; n < 23; n++) {
    said.push(`m${n}`);
    await post(id, `m${n}`);
    await post(other, 'elsewhere');
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 24, maxLength: 24 }),
      async (sizes) => {
        const [first = 1, ...rest] = sizes;
        let answer = await page(id, `latest=${first}`);
        let seen = bodies(answer);
        for (const size of rest) {
          if (answer.body.next === null) break;
          answer = await page(id, `before=${answer.body.next}&limit=${size}`);
          expect(answer.body.items.length).toBeGreaterThan(0);
          seen = [...bodies(answer), ...seen];
        }
        expect([seen, answer.body.next]).toEqual([said, null]);
      },
    ),
    { numRuns: 20 },
  );
});

test('a page before the first message is empty, and one before no message is refused', async () => {
  const { mainConversationId: id } = await room();
  expect((await page(id, 'latest=5')).body).toEqual({ items: [], next: null });
  const first = await post(id, 'first');
  expect((await page(id, `before=${first}`)).body).toEqual({ items: [], next: null });
  expect((await page(id, 'latest=1')).body.next).toBeNull();
  expect((await page(id, 'before=msg_none')).status).toBe(404);
  for (const both of [
    `before=${first}&after=${first}`,
    `before=${first}&latest=2`,
    `latest=2&after=${first}`,
  ])
    expect((await page(id, both)).body.errors?.faults[0].path).toBe('before');
});

test('a conversation and its space tell how much was said in them, and when last', async () => {
  const space = await room();
  expect(space.lastMessageAt).toBeNull();
  const shown = async () => {
    const { body } = await open.call('GET', `${at}/spaces/${space.id}/conversations`);
    const { body: spaces } = await open.call('GET', `${at}/spaces?limit=1000`);
    const counts = body.items.map((one: Record<string, unknown>) => [one.messageCount, one.lastMessageAt]);
    return [counts, spaces.items.find(({ id }: { id: string }) => id === space.id).lastMessageAt];
  };
  expect(await shown()).toEqual([[[0, null]], null]);
  const thread = await open.call('POST', `${at}/spaces/${space.id}/conversations`, { title: 'Aside' });
  expect(thread.body).toMatchObject({ kind: 'thread', messageCount: 0, lastMessageAt: null });
  const begunAt = nowMs;
  await post(space.mainConversationId, 'one');
  await post(space.mainConversationId, 'two');
  nowMs += 1_000;
  await post(thread.body.id, 'aside');
  expect(await shown()).toEqual([
    [
      [2, begunAt],
      [1, begunAt + 1_000],
    ],
    begunAt + 1_000,
  ]);
  const { body } = await open.call('GET', `${at}/conversations/${thread.body.id}`);
  expect(body).toMatchObject({ messageCount: 1, lastMessageAt: begunAt + 1_000 });
  expect((await open.call('GET', `${at}/spaces/${space.id}`)).body.lastMessageAt).toBe(begunAt + 1_000);
  const renamed = await open.call('PATCH', `${at}/spaces/${space.id}`, { name: 'Chamber' });
  expect(renamed.body).toMatchObject({ name: 'Chamber', lastMessageAt: begunAt + 1_000 });
});

test('what is read does not grow with what was said', async () => {
  const space = await room();
  const conversation = `/conversations/${space.mainConversationId}`;
  const fastest = async (path: string) => {
    const times: number[] = [];
    for (let i = 0; i < 15; i++) {
      const startedAt = performance.now();
      expect((await open.call('GET', at + path)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const first = await post(space.mainConversationId, 'm0');
  const ways = ['/spaces?limit=1000', `${conversation}/messages?latest=3`, conversation];
  const before = await Promise.all(ways.map(fastest));
  await fill(space.mainConversationId, MANY);
  const after = await Promise.all(ways.map(fastest));
  for (const [i, way] of ways.entries()) expect([way, after[i]! < before[i]! * 3 + 5]).toEqual([way, true]);
  expect((await open.call('GET', at + conversation)).body.messageCount).toBe(MANY + 1);
  const middle = await page(space.mainConversationId, `before=msg_${space.mainConversationId}5000&limit=3`);
  expect(bodies(middle)).toEqual(['m4997', 'm4998', 'm4999']);
  expect(await page(space.mainConversationId, `before=${first}`)).toMatchObject({ body: { items: [] } });
});
