import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { founded, type Json, onWord, post, scriptOf, toolCall, until, type World } from '../e2e/world.ts';
import { createWebWorld, isTooWide, openBrowser, openPage, signIn, violations } from './browser.ts';

const SCRIPT = scriptOf(
  onWord(
    'look at it',
    {
      ...{ thinking: 'They want the files.', text: 'I look first.' },
      tools: [toolCall('list_files', {}), toolCall('read_file', { path: 'missing.ts' })],
    },
    { text: '## Found\n\nIt is **all** there, in `invoice.ts`.' },
  ),
  onWord(
    'push it',
    { text: 'I have to push.', tools: [toolCall('run_command', { command: 'git push origin main' })] },
    { text: 'It was not pushed after all.' },
  ),
  onWord(
    'ask me',
    { tools: [toolCall('ask_user', { question: 'Which one?', choices: ['The left', 'The right'] })] },
    { text: 'Thank you for the answer.' },
  ),
);

let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
let ws: string;
let workspaceId: string;
let agents: Record<string, string>;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(SCRIPT), openBrowser()]);
  ({ ws, id: workspaceId, agents } = await founded(world, 'Acme'));
  ({ page, complaints } = await openPage(browser));
  page.setDefaultTimeout(8_000);
  await signIn(page, world);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const room = (name: string, more: Json = {}) =>
  world.ok('POST', `${ws}/spaces`, {
    ...{ name, mode: 'chat', agents: [agents.engineer], whenNobody: 'wait' },
    repositories: [{ name: 'invoices', path: world.stage.repository }],
    ...more,
  });
const pathOf = (space: Json, search = '') => `/w/${workspaceId}/spaces/${space.id}${search}`;
async function opened(name: string, more: Json = {}): Promise<Json> {
  const space = await room(name, more);
  await page.goto(world.server.url + pathOf(space));
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return space;
}
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const log = () => page.getByRole('log', { name: 'Messages' });
const message = (text: string | RegExp) => page.getByRole('article').filter({ hasText: text });
async function write(text: string): Promise<void> {
  const field = page.getByLabel('Message', { exact: true }).last();
  await field.fill(text);
  await field.press('Enter');
}

test('a message is there at once; the agent’s thinking, calls and answer follow, each once', async () => {
  await opened('Looking');
  await page.getByText('Nothing was said here yet').waitFor();
  expect(await violations(page)).toEqual([]);
  await write('Please look at it');
  await message('Please look at it').waitFor();
  await message('It is all there').waitFor();
  await button(/^Worked for/).waitFor();
  expect(await log().getByText('It is all there').count()).toBe(1);
  expect(await log().getByText('Please look at it').count()).toBe(1);
  await button(/^Worked for/).click();
  await log().getByText('I look first.').waitFor();
  const failed = button(/Read.*missing\.ts.*Failed/);
  await failed.click();
  await page.getByRole('region', { name: 'Output' }).getByText('missing.ts').first().waitFor();
  await button('Thought').click();
  await log().getByText('They want the files.').waitFor();
  expect(await violations(page)).toEqual([]);
}, 30_000);

test('an action is allowed on its card, which then says who did; the run goes on', async () => {
  await opened('Pushing');
  await write('Please push it');
  await log().getByText('git push origin main').waitFor();
  expect(await violations(page)).toEqual([]);
  await button('Other ways to allow').click();
  await page.getByRole('menuitem', { name: /Always allow/ }).click();
  await page.getByRole('dialog').getByText('push to a remote').waitFor();
  await page.keyboard.press('Escape');
  await button('Allow once').click();
  await log().getByText('Allowed once by Owner').waitFor();
  await message('It was not pushed').waitFor();
}, 30_000);

test('a question is answered by keys alone', async () => {
  await opened('Asking');
  await write('Please ask me');
  await page.getByRole('radio', { name: /The right/ }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('2');
  expect(await page.getByRole('radio', { name: /The right/ }).isChecked()).toBe(true);
  await button('Answer').focus();
  await page.keyboard.press('Enter');
  await log().getByText('Answered by Owner').waitFor();
  expect(await focusedName()).toMatch(/^engineer|^ceo/);
  await message('Thank you for the answer').waitFor();
}, 30_000);

test('a refusal carries its reason to the agent', async () => {
  const space = await opened('Refusing');
  await write('Please push it');
  await button('Refuse…').click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not on a Friday.');
  await button('Refuse', page.getByRole('dialog')).click();
  await log().getByText('Refused by Owner').waitFor();
  await log().getByText('Not on a Friday.').waitFor();
  const { items } = await world.ok('GET', `${ws}/approvals?limit=100`);
  const mine = items.find((one: Json) => one.spaceId === space.id);
  expect(mine).toMatchObject({ status: 'refused', decision: { reason: 'Not on a Friday.' } });
}, 30_000);

test('a thread grows from a message with its first reply, and its count is kept', async () => {
  const space = await opened('Threads', { agents: [] });
  await post(world, ws, space, 'The beginning');
  await message('The beginning').hover();
  await button('Reply in a thread').click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('textbox', { name: 'First reply' }).fill('The first reply');
  await page.keyboard.press('Enter');
  await thread.getByRole('article').filter({ hasText: 'The first reply' }).waitFor();
  await button(/^1 reply/).waitFor();
  expect(await focusedName()).toBe('Message');
  expect(await violations(page)).toEqual([]);
  await button('Close the thread').click();
  await until(focusedName, (name) => name !== 'nothing', 4_000);
  const { items } = await world.ok('GET', `${ws}/spaces/${space.id}/conversations`);
  const id = items.find((one: Json) => one.kind === 'thread').id;
  await world.ok('POST', `${ws}/conversations/${id}/messages`, { body: 'A second one' });
  await button(/^2 replies/).click();
  await thread.getByText('A second one').waitFor();
}, 30_000);

const focusedName = () =>
  page.evaluate(() => {
    const { activeElement: focused, body } = document;
    return focused === body ? 'nothing' : (focused?.getAttribute('aria-label') ?? focused?.id);
  });

test('by keys alone: from message to message, a message of one’s own is changed in its place', async () => {
  const space = await opened('Keys', { agents: [] });
  for (const text of ['one', 'two', 'three']) await post(world, ws, space, `Message ${text}`);
  await message('Message three').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('article')?.textContent ?? 'nothing');
  await until(focused, (text) => text.includes('Message one'), 4_000);
  await page.keyboard.press('End');
  await until(focused, (text) => text.includes('Message three'), 4_000);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Your message' }).fill('Message third');
  await page.keyboard.press('Enter');
  await message('Message third').waitFor();
  const { items } = await world.ok('GET', `${ws}/conversations/${space.mainConversationId}/messages`);
  expect(items.map(({ body }: Json) => body)).toEqual(['Message one', 'Message two', 'Message third']);
}, 30_000);

test('in a window of 320 pixels nothing has to be scrolled sideways', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  const space = await room('Narrow');
  for (const search of ['', '?runs=1']) {
    await page.goto(world.server.url + pathOf(space, search));
    await page.getByRole('heading', { level: 1, name: 'Narrow' }).waitFor({ state: 'attached' });
    if (search === '') {
      await write('Please push it');
      await button('Allow once').waitFor();
    } else await page.getByRole('tree').waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
  }
  // Nothing but that nobody was signed in at first.
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
}, 30_000);
