import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { type Json, onWord, post, runOf, scriptOf, toolCall, type World } from '../e2e/world.ts';
import { createWebWorld, flaws, openBrowser, openPage, signIn, violations } from './browser.ts';

const script = scriptOf(
  onWord('ask', { tools: [toolCall('ask_user', { question: 'Which colour?', choices: ['red', 'blue'] })] }),
);

setDefaultTimeout(20_000);

let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
/** The API path of the workspace, and its id. */
let ws: string;
let id: string;
let agents: Record<string, string>;
/** A viewer. */
let mara: Json;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(script), openBrowser()]);
  ({ page, complaints } = await openPage(browser, { reducedMotion: 'no-preference' }));
  page.setDefaultTimeout(8_000);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const openSpaces = () => page.getByRole('navigation', { name: 'Spaces' });
const newSpace = (more: Json = {}) =>
  world.ok('POST', `${ws}/spaces`, { name: 'Room', mode: 'chat', agents: [agents.engineer], ...more });

test('without a session the app says how to sign in; a link that is no good says why', async () => {
  await page.goto(world.server.url);
  await page.getByRole('heading', { level: 1, name: 'Sign in to Control Center' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  const field = page.getByRole('textbox', { name: 'Sign-in link' });
  await field.fill('something else');
  await page.keyboard.press('Enter');
  await page.getByText('This is no sign-in link.').waitFor();
  await field.fill(`${world.server.url}/sign-in#code=${'x'.repeat(43)}`);
  await page.keyboard.press('Enter');
  await page.getByText('This sign-in link is not valid').waitFor();
  await page.goto(`${world.server.url}/sign-in#code=half`);
  await page.getByText('This is no sign-in link.').waitFor();
  const { code } = await world.ok('POST', '/api/sign-in-codes', {});
  // Over the screen that stands there already this changes the fragment alone.
  await page.goto(`${world.server.url}/sign-in#code=${code}`);
  await page.getByRole('heading', { level: 1, name: 'Welcome to Control Center' }).waitFor();
  expect(page.url()).not.toContain(code);
  await page.goto(`${world.server.url}/sign-in#code=${code}`);
  await page.getByText('You are still signed in here as Owner.').waitFor();
  await link('Go on').click();
  await page.getByRole('heading', { level: 1, name: 'Welcome to Control Center' }).waitFor();
  // All refusals are what was asked for.
  complaints.splice(0);
});

test('the first workspace: a name, its agents as they come, a first space', async () => {
  expect(await flaws(page)).toEqual([]);
  await button('Create workspace').click();
  await page.getByText('Give the workspace a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme');
  await page.keyboard.press('Enter');
  await page.getByText('Your first agents are here.').waitFor();
  expect(await flaws(page)).toEqual([]);
  await button('Open a first space').click();
  const form = dialog('New space');
  await form.waitFor();
  expect(await flaws(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create space' }).click();
  // What is wrong gets the focus, and a closed dialog has lost nothing.
  await form.getByText('Give the space a name.').waitFor();
  await page.keyboard.type('Graph export');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await button('New space').first().click();
  expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Graph export');
  await form.getByRole('checkbox', { name: /^engineer/ }).check();
  await form.getByRole('button', { name: 'Add a repository' }).click();
  await form.getByRole('textbox', { name: 'Path on the server' }).fill('/nowhere');
  await form.getByRole('button', { name: 'Create space' }).click();
  // What was filled in stays, and the server's words say what is wrong.
  await form.getByRole('alert').filter({ hasText: '/nowhere' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await form.getByRole('button', { name: 'Remove repository 1' }).click();
  await form.getByRole('button', { name: 'Create space' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await link(/Graph export$/).getAttribute('aria-current')).toBe('page');
  // The next letters are a message, not keys of the screen.
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  expect(await page.title()).toBe('Graph export · Acme · Control Center');
  complaints.splice(0);
  ({ id } = (await world.ok('GET', '/api/workspaces')).items[0]);
  ws = `/api/workspaces/${id}`;
  const { items } = await world.ok('GET', `${ws}/agents`);
  agents = Object.fromEntries(items.map((agent: Json) => [agent.name, agent.id]));
});

test('what others do shows without a reload: a space, what waits in it, the count in the title', async () => {
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await openSpaces().getByText('Graph export').waitFor();
  const room = await newSpace({ name: 'Colours' });
  await openSpaces().getByText('Colours').waitFor();
  const { message } = await post(world, ws, room, 'ask me');
  await runOf(world, ws, message.id);
  await openSpaces().getByText('1 waiting').waitFor();
  await link(/^Inbox/)
    .getByText('1', { exact: true })
    .waitFor();
  expect(await page.title()).toBe('(1) Settings · Acme · Control Center');
  // What waits stands first.
  expect(await openSpaces().getByRole('listitem').first().textContent()).toContain('Colours');
  await openSpaces()
    .getByText(/new messages/)
    .first()
    .waitFor({ state: 'attached' });
  expect(await violations(page)).toEqual([]);
});

test('people who are here show, and go again', async () => {
  mara = await world.ok('POST', '/api/members', { name: 'Mara Roth', role: 'viewer' });
  await page.getByText('Only you are here').waitFor();
  const other = await openPage(browser);
  other.page.setDefaultTimeout(8_000);
  await signIn(other.page, world, `/w/${id}/settings`, mara.id);
  await button(/2 people here/).click();
  const who = page.getByRole('region', { name: 'Who is here' });
  await who.getByText('Mara Roth').waitFor();
  await who.getByText('Looks on').waitFor();
  await who.getByText('Waiting for you').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // A viewer is told why nothing can be changed, instead of finding out.
  const add = other.page.getByRole('button', { name: /^New space/ });
  expect(await add.getAttribute('title')).toContain('You may look but not change anything');
  await add.click({ force: true });
  expect(await other.page.getByRole('dialog').count()).toBe(0);
  await other.page.getByRole('button', { name: 'Settings of Colours' }).focus();
  await other.page.keyboard.press('Enter');
  const settings = other.page.getByRole('dialog', { name: 'Space settings' });
  await settings.getByText('You may look but not change anything').first().waitFor();
  expect(await settings.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
  expect(await flaws(other.page)).toEqual([]);
  expect(other.complaints).toEqual([]);
  await other.page.context().close();
});

test('by keyboard alone: the palette, G and a letter, the help, folding', async () => {
  await page.keyboard.press('Control+k');
  const palette = dialog('Search, or do something');
  await palette.waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.type('graph ex');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/spaces\/spc_/);
  await palette.waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(/\/settings$/);
  await page.keyboard.press('?');
  const help = dialog('Keyboard');
  await help.getByText('Go to Inbox').waitFor();
  expect(await flaws(page)).toEqual([]);
  // A dialog has the keyboard to itself.
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  expect(page.url()).toEndWith('/settings');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  // In a menu a letter chooses an entry and is no key of the screen.
  await button(/choose another/).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('[');
  await page.keyboard.press('Escape');
  await openSpaces().waitFor();
  await page.keyboard.press('[');
  await button(/^Unfold the sidebar/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('[');
  await openSpaces().waitFor();
  // What has a key can be done from the palette, which shows the key.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new space');
  await palette.getByRole('option', { name: /^New space/ }).click();
  await dialog('New space').waitFor();
  await page.keyboard.press('Escape');
});

test('the arrows walk through the places, threads unfold, and the skip link leads past all of it', async () => {
  await link(/^Inbox/).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focusedText(page)).toBe('Agents');
  await page.keyboard.press('End');
  expect(await focusedText(page)).toContain('Graph export');
  const [space] = (await world.ok('GET', `${ws}/spaces`)).items;
  await world.ok('POST', `${ws}/spaces/${space.id}/conversations`, { title: 'Why is it slow' });
  await button(`Threads of ${space.name}`).click();
  await link('Why is it slow').click();
  await page.waitForURL(/\?thread=cnv_/);
  await button('Skip to the screen').focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
});

test('a space that was opened from another lies folded below it, and comes into sight when it is open', async () => {
  const { items } = await world.ok('GET', `${ws}/spaces`);
  const parent = items.find(({ name }: Json) => name === 'Colours');
  const below = await newSpace({ name: 'Discussion: export', parentSpaceId: parent.id });
  await openSpaces().getByText('1 more space below').waitFor({ state: 'attached' });
  expect(await openSpaces().getByText('Discussion: export').count()).toBe(0);
  await page.goto(`${world.server.url}/w/${id}/spaces/${below.id}`);
  await openSpaces().getByText('Discussion: export').waitFor();
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await button(`Spaces and threads below ${parent.name}`).click();
  await openSpaces().getByText('Discussion: export').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a space that two people change at once shows both values and loses neither', async () => {
  const room = await newSpace({ name: 'Two at once' });
  await openSpaces().getByText('Two at once').hover();
  await button('Settings of Two at once').click();
  const form = dialog('Space settings');
  await form.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await world.ok('PATCH', `${ws}/spaces/${room.id}`, { name: 'Theirs', mode: 'plan', version: room.version });
  await form.getByRole('row', { name: 'Name Theirs Mine' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await form.getByRole('button', { name: 'Keep mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await openSpaces().getByText('Mine').waitFor();
  // What only the other one changed stays theirs.
  expect(await world.ok('GET', `${ws}/spaces/${room.id}`)).toMatchObject({ name: 'Mine', mode: 'plan' });
});

test('runs stay open in tabs, over a reload, until they are closed', async () => {
  const { items } = await world.ok('GET', `${ws}/runs`);
  const tabs = page.getByRole('navigation', { name: 'Open plans and runs' });
  await page.goto(`${world.server.url}/w/${id}/runs/${items[0].id}`);
  await tabs.getByRole('link', { name: /^engineer · / }).waitFor();
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await tabs.getByRole('link', { name: /^engineer · / }).waitFor();
  await page.keyboard.press('Control+ArrowRight');
  await page.waitForURL(/\/runs\/run_/);
  await tabs.getByRole('button', { name: /^Close engineer/ }).click();
  await page.waitForURL(/\/inbox(\/|$)/);
  expect(await tabs.count()).toBe(0);
});

test('a lost connection, a part that is gone and a list that fails say so, and what was shown stays', async () => {
  const other = await openPage(browser);
  other.page.setDefaultTimeout(8_000);
  let isDown = false;
  const lines: WebSocketRoute[] = [];
  await other.page.routeWebSocket(/api\/live/, (line) => {
    if (isDown) return void line.close();
    line.connectToServer();
    lines.push(line);
  });
  await signIn(other.page, world, `/w/${id}/settings`, mara.id);
  const there = (text: string) => other.page.getByText(text).first().waitFor();
  await there('Live');
  isDown = true;
  await lines.at(-1)?.close();
  await there('The connection is lost.');
  expect(await flaws(other.page)).toEqual([]);
  isDown = false;
  await other.page.getByRole('button', { name: 'Try now' }).click();
  await there('Live');
  await other.page.route('**/assets/inbox-screen*', (route) => route.abort());
  await other.page.getByRole('link', { name: /^Inbox/ }).click();
  await there('There is a new version');
  expect(await flaws(other.page)).toEqual([]);
  await other.page.route('**/spaces?*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', detail: 'See the log.' } }),
  );
  await newSpace({ name: 'Not heard of' });
  await there('The spaces could not be loaded.');
  await there('See the log.');
  await there('Colours');
  expect(await violations(other.page)).toEqual([]);
  await other.page.context().close();
});

test('what is told over a dialog is in it: heard, reached by key, and the focus goes back', async () => {
  await page.route('**/api/session', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Not now.', retryable: true } }),
  );
  await perform('sign out');
  const told = page.getByRole('alert').filter({ hasText: 'Not now.' });
  await told.waitFor();
  await perform('langue');
  // In French the sentence of the code comes first, and what the server said is marked as English.
  await told.getByText('Un service est indisponible').waitFor();
  expect(await told.locator('[lang="en"]').textContent()).toContain('Not now.');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  const form = dialog('Nouvel espace');
  await form.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await form.getByRole('textbox', { name: 'Nom' }).focus();
  await page.keyboard.press('F8');
  expect(await focusedText(page, 'aria-label')).toBe('Fermer');
  await page.keyboard.press('Enter');
  await told.waitFor({ state: 'detached' });
  expect(await focusedText(page, 'maxlength')).toBe('300');
  await page.keyboard.press('Escape');
  await perform('language');
  await page.unroute('**/api/session');
  complaints.splice(0);
});

test('an address at which there is nothing leads on and says so', async () => {
  await page.goto(`${world.server.url}/w/${id}/nowhere`);
  await page.getByText('There is nothing at that address.').waitFor();
  await page.waitForURL((url) => url.pathname.includes('/inbox'));
  await button('Dismiss').click();
});

test('in a narrow window the sidebar is a drawer, and nothing is too wide', async () => {
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await page.setViewportSize({ width: 320, height: 640 });
  await button('Open the navigation').click();
  const drawer = dialog('Navigation');
  await drawer.getByRole('link', { name: /Mine/ }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await focusedText(page, 'aria-label')).toBe('Open the navigation');
  await button('Open the navigation').click();
  await drawer.getByRole('link', { name: 'Agents' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('nothing was complained about', () => expect(complaints).toEqual([]));

/** Finds what is to be done in the palette and does it. */
async function perform(what: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(what);
  await page.keyboard.press('Enter');
}

function focusedText(on: Page, attribute?: string): Promise<string | null> {
  return on.evaluate(
    (name) =>
      name === undefined
        ? ((document.activeElement as HTMLElement | null)?.textContent ?? null)
        : (document.activeElement?.getAttribute(name) ?? null),
    attribute,
  );
}
