import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { founded, type Json, onWord, post, scriptOf, until, type World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';
import { type Fared, faring, inWords, isSmooth } from './conversation-frames.ts';

const WORDS = Array.from({ length: 200 }, (_, i) => `word${i}.`);
/** A text of about 3,000 tokens, one in each piece of the stream. */
const TOKENS = Array.from({ length: 3_000 }, (_, i) =>
  i % 60 === 59 ? '\n\n' : i % 17 === 0 ? '**tk** ' : 'tok ',
);
const SCRIPT = scriptOf(
  onWord('speak slowly', { text: WORDS.join(' '), chunkDelayMs: 15, chunkChars: 8 }),
  onWord('speak at length', { text: `${TOKENS.join('')} The end.`, chunkDelayMs: 1, chunkChars: 4 }),
);
const MOST_SCRIPT_MS = 1_500;
const TRIES = 3;

let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let workspaceId: string;
let agents: Record<string, string>;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(SCRIPT), openBrowser()]);
  ({ ws, id: workspaceId, agents } = await founded(world, 'Acme'));
  ({ page } = await openPage(browser));
  page.setDefaultTimeout(8_000);
  await signIn(page, world);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

async function opened(name: string, more: Json = {}): Promise<Json> {
  const space = await world.ok('POST', `${ws}/spaces`, { name, mode: 'chat', agents: [], ...more });
  await page.goto(`${world.server.url}/w/${workspaceId}/spaces/${space.id}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return space;
}
const log = () => page.getByRole('log', { name: 'Messages' });
const message = (text: string | RegExp) => page.getByRole('article').filter({ hasText: text });
async function write(text: string): Promise<void> {
  const field = page.getByLabel('Message', { exact: true }).last();
  await field.fill(text);
  await field.press('Enter');
}
const messagesOf = async ({ mainConversationId }: Json): Promise<Json[]> =>
  (await world.ok('GET', `${ws}/conversations/${mainConversationId}/messages`)).items;
const samePort = () => ({ CONTROL_CENTER_PORT: new URL(world.server.url).port });

test('a server that is killed in the middle of an answer: nothing is lost and nothing twice', async () => {
  const space = await opened('Killed', { agents: [agents.engineer] });
  await write('Please speak slowly');
  await log().getByText('word5.').waitFor();
  await world.restart(samePort());
  await message('word199.').waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: /^Worked for/ }).waitFor();
  const text = (await log().textContent()) ?? '';
  expect(WORDS.filter((word) => text.split(word).length !== 2)).toEqual([]);
  expect(text.split('Please speak slowly').length).toBe(2);
  expect(await messagesOf(space)).toHaveLength(2);
}, 40_000);

test('what is written while the server is away goes out by itself when it is back, once', async () => {
  const space = await opened('Away');
  await post(world, ws, space, 'Before');
  await message('Before').waitFor();
  world.server.kill();
  const port = samePort();
  await world.server.exited;
  await write('Said into the void');
  await log().getByText('Not sent').waitFor();
  await world.restart(port);
  await until(
    () => messagesOf(space),
    (items) => items.length === 2,
    15_000,
  );
  await log().getByText('Not sent').waitFor({ state: 'detached' });
  expect(await log().getByText('Said into the void').count()).toBe(1);
}, 40_000);

test('a look that failed leaves the screen as it was, and is made again when the server is back', async () => {
  const space = await opened('As it was');
  const path = `**/spaces/${space.id}`;
  await page.route(path, (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', detail: 'No.' } }),
  );
  const failed = page.waitForResponse((response) => response.status() === 404);
  await world.ok('PATCH', `${ws}/spaces/${space.id}`, { name: 'As it is', version: space.version });
  await failed;
  await page.getByRole('navigation').getByText('As it is').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('As it was');
  await page.unroute(path);
  await world.restart(samePort());
  await page.getByRole('heading', { level: 1, name: 'As it is' }).waitFor({ timeout: 15_000 });
}, 30_000);

test('3,000 tokens stream in without stutter, and the end stays in view', async () => {
  let fared: Fared;
  let tries = 0;
  do {
    await opened(`Length ${tries}`, { agents: [agents.engineer] });
    fared = await faring(page, async () => {
      await write('Please speak at length');
      await log().getByText('The end.').waitFor({ timeout: 20_000 });
    });
    console.log(`3,000 tokens: ${inWords(fared)}`);
    await message('The end.').waitFor();
    expect(await log().getByText('The end.').count()).toBe(1);
    expect(await log().getByText('The end.').isVisible()).toBe(true);
  } while (!isSmooth(fared) && ++tries < TRIES);
  expect(isSmooth(fared)).toBe(true);
  expect(fared.scriptMs).toBeLessThanOrEqual(MOST_SCRIPT_MS);
}, 60_000);
