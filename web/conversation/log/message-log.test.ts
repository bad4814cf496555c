import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { withChanged, withNewer, withOlder } from './log-state.ts';
import { MessageLog, type MessageSource } from './message-log.ts';

const message = (n: number, version = 1): Message => ({
  ...{
    id: `msg_${String(n).padStart(5, '0')}`,
    conversationId: 'cnv_1',
    author: 'person:mem_1',
    kind: 'text',
  },
  ...{ body: `m${n} v${version}`, data: {}, mentions: [], attachments: [] },
  ...{ createdAt: n, updatedAt: n + version, version },
});
const event = (type: string, subject: string, conversationId = 'cnv_1') => ({
  ...{ seq: 1, at: 1, actor: 'person:mem_1', type, subject, data: { conversationId } },
});

/** A server whose messages grow and change; each answer comes a turn later, and may fail. */
function createServer() {
  const all: Message[] = [];
  let failures = 0;
  const page = async (read: () => { items: Message[]; next: string | null }) => {
    await Promise.resolve();
    if (failures > 0) {
      failures--;
      throw new Error('away');
    }
    return read();
  };
  const source: MessageSource = {
    latest: (count) =>
      page(() => ({
        items: all.slice(-count),
        next: all.length > count ? (all.at(-count)?.id ?? null) : null,
      })),
    before: (id, count) =>
      page(() => {
        const end = all.findIndex((one) => one.id === id);
        const items = all.slice(Math.max(0, end - count), end);
        return { items, next: end > count ? (items[0]?.id ?? null) : null };
      }),
    after: (id, count) =>
      page(() => {
        const rest = all.slice(all.findIndex((one) => one.id === id) + 1);
        return {
          items: rest.slice(0, count),
          next: rest.length > count ? (rest[count - 1]?.id ?? null) : null,
        };
      }),
    one: async (id) =>
      (await page(() => ({ items: all.filter((one) => one.id === id), next: null }))).items[0] as Message,
  };
  return {
    all,
    source,
    fail: (times: number) => {
      failures = times;
    },
    post: () => all[all.push(message(all.length + 1)) - 1] as Message,
    change: (index: number) => {
      const before = all[index] as Message;
      all[index] = message(index + 1, before.version + 1);
      return all[index] as Message;
    },
  };
}

async function settled(log: MessageLog, isSo: (messages: readonly Message[]) => boolean): Promise<void> {
  const giveUpAt = Date.now() + 4_000;
  while (!isSo(log.state.messages)) {
    if (Date.now() > giveUpAt)
      throw new Error(`still ${JSON.stringify(log.state.messages.map(({ body }) => body))}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test('whatever comes in whatever order, the log is what the server has: nothing lost, nothing twice', async () => {
  const step = fc.oneof(
    fc.constant({ kind: 'post' as const }),
    fc.record({ kind: fc.constant('change' as const), at: fc.nat() }),
    fc.constant({ kind: 'breathe' as const }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(80), async (steps, before) => {
      const server = createServer();
      for (let i = 0; i < before; i++) server.post();
      const log = new MessageLog('cnv_1', server.source);
      void log.load();
      for (const one of steps) {
        if (one.kind === 'post') log.take(event('message.posted', server.post().id));
        else if (one.kind === 'change' && server.all.length > 0)
          log.take(event('message.changed', server.change(one.at % server.all.length).id));
        else await Promise.resolve();
      }
      const have = () => server.all.slice(-log.state.messages.length);
      await settled(log, (messages) => {
        const shown = messages.map(({ id, version }) => `${id}/${version}`);
        const wanted = have().map(({ id, version }) => `${id}/${version}`);
        return (
          log.state.isLoaded &&
          messages.at(-1)?.id === server.all.at(-1)?.id &&
          shown.join() === wanted.join()
        );
      });
      log.close();
    }),
    { numRuns: 60 },
  );
});

test('what could not be read is read again, and events of other conversations are no news', async () => {
  const server = createServer();
  server.post();
  const log = new MessageLog('cnv_1', server.source, 1);
  server.fail(1);
  await log.load();
  expect([log.state.isLoaded, log.state.error?.message]).toEqual([false, 'away']);
  await log.load();
  expect(log.state).toMatchObject({ isLoaded: true, error: null });
  server.fail(1);
  log.take(event('message.posted', server.post().id));
  await settled(log, (messages) => messages.length === 2);
  log.take(event('message.posted', server.post().id, 'cnv_other'));
  await Promise.resolve();
  expect(log.state.messages).toHaveLength(2);
  log.close();
});

test('it goes back page by page, and all the way to a message', async () => {
  const server = createServer();
  for (let i = 0; i < 2_500; i++) server.post();
  const log = new MessageLog('cnv_1', server.source);
  await log.load();
  expect(log.state.messages).toHaveLength(60);
  expect(await log.loadOlder()).toBe(true);
  expect(log.state.messages[0]?.createdAt).toBe(2_341);
  expect(await log.reach(message(3).id)).toBe(true);
  expect(log.state.messages.map(({ id }) => id)).toEqual(
    server.all.slice(-log.state.messages.length).map(({ id }) => id),
  );
  expect(await log.reach('msg_none')).toBe(false);
  expect(log.state).toMatchObject({ olderBefore: null, isLoadingOlder: false });
  expect(await log.loadOlder()).toBe(false);
});

test('pages join without repeats, and an older version changes nothing', () => {
  const [one, two, three] = [message(1), message(2), message(3)];
  expect(withNewer([one, two], [two, three])).toEqual([one, two, three]);
  expect(withOlder([two, three], [one, two])).toEqual([one, two, three]);
  const changed = message(2, 3);
  expect(withChanged([one, two], changed)).toEqual([one, changed]);
  expect(withChanged([one, changed], message(2, 2))).toEqual([one, changed]);
  const same = [one];
  expect(withChanged(same, three)).toBe(same);
});
