import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Json, scriptOf, until } from '../e2e/world.ts';
import { type Fared, faring, inWords, isSmooth } from './conversation-frames.ts';
import { roomStage } from './room-stage.ts';

const MANY = 10_000;
const MOST_ELEMENTS = 400;
const TRIES = 3;

let space: Json;
let first: string;
const stage = roomStage(scriptOf(), {
  async prepare({ room }) {
    space = await room('Large', { agents: [] });
    first = (await say(0)).message.id;
    await becomeMany();
  },
});

/** As many posts would take half a minute: the first message is multiplied where it lies, while the server is down. */
async function becomeMany(): Promise<void> {
  stage.world.server.kill();
  await stage.world.server.exited;
  const database = new Database(
    join(stage.world.stage.dataDir, 'workspaces', stage.workspaceId, 'workspace.db'),
  );
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    INSERT INTO messages (id, conversationId, author, kind, body, data, mentions, attachments, createdAt, updatedAt, version)
    SELECT 'msg_many' || printf('%014d', i), conversationId, author, kind,
      'Message ' || i || iif(i % 7 = 0, char(10) || char(10) || '- with a list' || char(10) || '- and **more**', ''),
      data, mentions, attachments, createdAt + i, updatedAt + i, version FROM n, messages WHERE id = ?`,
    [MANY - 1, first],
  );
  database.close();
  await stage.world.restart();
}

const say = (i: number): Promise<Json> =>
  stage.world.ok('POST', `${stage.ws}/conversations/${space.mainConversationId}/messages`, {
    body: `Message ${i}`,
  });
const rows = () => stage.page.getByRole('article');
const elements = () => stage.page.evaluate(() => document.querySelectorAll('[role="log"] *').length);
const scroller = () => stage.page.getByRole('log').locator('..');

test('10,000 messages: the newest are there at once, and a link leads to the first', async () => {
  const from = performance.now();
  await stage.page.goto(stage.urlOf(space));
  await rows().last().waitFor();
  expect(performance.now() - from).toBeLessThan(5_000);
  expect(await elements()).toBeLessThanOrEqual(MOST_ELEMENTS);
  await stage.page.goto(stage.urlOf(space, `?m=${first}`));
  await stage.page.getByText('Message 0', { exact: true }).waitFor();
  await stage.page.getByText('This is the beginning of the conversation.').waitFor();
  expect(await elements()).toBeLessThanOrEqual(MOST_ELEMENTS);
}, 30_000);

test('going through them keeps few elements and does not stutter', async () => {
  let most = 0;
  let fared: Fared;
  let tries = 0;
  do {
    fared = await faring(stage.page, async () => {
      for (let part = 0; part < 6; part++) {
        await scroller().evaluate(async (element) => {
          for (let step = 0; step < 20; step++) {
            element.scrollBy(0, 350);
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        });
        most = Math.max(most, await elements());
      }
    });
    console.log(`10,000 messages: ${inWords(fared)}, ${most} elements`);
  } while (!isSmooth(fared) && ++tries < TRIES);
  expect(most).toBeLessThanOrEqual(MOST_ELEMENTS);
  expect(isSmooth(fared)).toBe(true);
}, 30_000);

test('one who reads older messages stays there while new ones come, and is told of them', async () => {
  await scroller().evaluate((element) => element.scrollTo(0, 20_000));
  const place = () => scroller().evaluate((element) => element.scrollTop);
  await stage.page.getByRole('button', { name: 'Jump to the latest' }).waitFor();
  const before = await place();
  await say(MANY);
  await say(MANY + 1);
  await stage.page.getByRole('button', { name: '2 new messages' }).click();
  await stage.page.getByText(`Message ${MANY + 1}`, { exact: true }).waitFor();
  expect(await place()).toBeGreaterThan(before);
  await say(MANY + 2);
  await stage.page.getByText(`Message ${MANY + 2}`, { exact: true }).waitFor();
  expect(await stage.page.getByText(`Message ${MANY + 2}`, { exact: true }).isVisible()).toBe(true);
}, 30_000);

/** The number of the topmost message in view; older ones that come above it move all that is measured in pixels. */
const topmost = () =>
  scroller().evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const inView = [...element.querySelectorAll('article')].find(
      (row) => row.getBoundingClientRect().bottom > top,
    );
    return Number(/Message (\d+)/.exec(inView?.textContent ?? '')?.[1]);
  });

test('one who scrolls as soon as something shows goes there and stays', async () => {
  await stage.page.goto(stage.urlOf(space));
  await rows().last().waitFor();
  const before = await until(topmost, (now) => now > MANY - 40);
  await stage.page.mouse.move(700, 300);
  for (let turn = 0; turn < 4; turn++) await stage.page.mouse.wheel(0, -250);
  await until(topmost, (now) => before - now > 8, 2_000);
}, 30_000);
