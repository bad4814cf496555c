import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { founded, type Json, scriptOf, type World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';
import { type Fared, faring, inWords, isSmooth } from './conversation-frames.ts';

const MANY = 10_000;
const MOST_ELEMENTS = 400;
const TRIES = 3;

let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let space: Json;
let first: string;
let path: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(scriptOf()), openBrowser()]);
  const acme = await founded(world, 'Acme');
  ws = acme.ws;
  space = await world.ok('POST', `${ws}/spaces`, { name: 'Large', mode: 'chat', agents: [] });
  path = `/w/${acme.id}/spaces/${space.id}`;
  first = (await say(0)).message.id;
  await becomeMany(acme.id);
  ({ page } = await openPage(browser));
  page.setDefaultTimeout(10_000);
  await signIn(page, world);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

/** As many posts would take half a minute: the first message is multiplied where it lies, while the server is down. */
async function becomeMany(workspaceId: string): Promise<void> {
  world.server.kill();
  await world.server.exited;
  const database = new Database(join(world.stage.dataDir, 'workspaces', workspaceId, 'workspace.db'));
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    INSERT INTO messages (id, conversationId, author, kind, body, data, mentions, attachments, createdAt, updatedAt, version)
    SELECT 'msg_many' || printf('%014d', i), conversationId, author, kind,
      'Message ' || i || iif(i % 7 = 0, char(10) || char(10) || '- with a list' || char(10) || '- and **more**', ''),
      data, mentions, attachments, createdAt + i, updatedAt + i, version FROM n, messages WHERE id = ?`,
    [MANY - 1, first],
  );
  database.close();
  await world.restart();
}

const say = (i: number): Promise<Json> =>
  world.ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, {
    body: `Message ${i}`,
  });
const rows = () => page.getByRole('article');
const elements = () => page.evaluate(() => document.querySelectorAll('[role="log"] *').length);
const scroller = () => page.getByRole('log').locator('..');

test('10,000 messages: the newest are there at once, and a link leads to the first', async () => {
  const from = performance.now();
  await page.goto(world.server.url + path);
  await rows().last().waitFor();
  expect(performance.now() - from).toBeLessThan(5_000);
  expect(await elements()).toBeLessThanOrEqual(MOST_ELEMENTS);
  await page.goto(`${world.server.url}${path}?m=${first}`);
  await page.getByText('Message 0', { exact: true }).waitFor();
  await page.getByText('This is the beginning of the conversation.').waitFor();
  expect(await elements()).toBeLessThanOrEqual(MOST_ELEMENTS);
}, 30_000);

test('going through them keeps few elements and does not stutter', async () => {
  let most = 0;
  let fared: Fared;
  let tries = 0;
  do {
    fared = await faring(page, async () => {
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
  await page.getByRole('button', { name: 'Jump to the latest' }).waitFor();
  const before = await place();
  await say(MANY);
  await say(MANY + 1);
  await page.getByRole('button', { name: '2 new messages' }).click();
  await page.getByText(`Message ${MANY + 1}`, { exact: true }).waitFor();
  expect(await place()).toBeGreaterThan(before);
  await say(MANY + 2);
  await page.getByText(`Message ${MANY + 2}`, { exact: true }).waitFor();
  expect(await page.getByText(`Message ${MANY + 2}`, { exact: true }).isVisible()).toBe(true);
}, 30_000);
