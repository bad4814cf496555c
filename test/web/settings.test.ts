import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { founded, scriptOf, until, type World } from '../e2e/world.ts';
import { createWebWorld, isTooWide, openBrowser, openPage, signIn, violations } from './browser.ts';

setDefaultTimeout(20_000);

let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
let id: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(scriptOf()), openBrowser()]);
  ({ id } = await founded(world, 'Acme'));
  ({ page, complaints } = await openPage(browser, { reducedMotion: 'no-preference' }));
  page.setDefaultTimeout(8_000);
  await signIn(page, world, `/w/${id}/settings`);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const section = (name: string) =>
  page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link', { name }).click();

test('a name of one’s own', async () => {
  const field = page.getByRole('textbox', { name: 'Your name' });
  await field.fill('Ada Byron');
  await button('Save').click();
  await page.getByText('Your name is saved.').waitFor();
  await button(/^Ada Byron/).waitFor();
  expect(await violations(page)).toEqual([]);
});

test('theme and language hold over a reload', async () => {
  await section('Appearance');
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await schemeOf(page)).toBe('dark');
  await page.getByRole('radio', { name: 'Français' }).check();
  await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor();
  expect([await schemeOf(page), await page.getAttribute('html', 'lang')]).toEqual(['dark', 'fr']);
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('radio', { name: 'As the system' }).check();
});

test('keys without a modifier can be turned off, and the others stay', async () => {
  await page.getByRole('checkbox', { name: /^Keys without/ }).uncheck();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search, or do something' }).waitFor();
  expect(new URL(page.url()).pathname).toEndWith('/settings');
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: /^Keys without/ }).check();
});

test('somebody is added, signs in by the link that is shown once, and may only look', async () => {
  await section('People');
  await button('Add a person').click();
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByRole('button', { name: 'Add and show the sign-in link' }).click();
  await form.getByText('Give the person a name.').waitFor();
  await page.keyboard.type('Theo');
  await form.getByRole('textbox', { name: 'Name' }).fill('Theo');
  await form.getByRole('radio', { name: /^Viewer/ }).check();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Sign-in link for Theo' });
  const link = await shown.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(await violations(page)).toEqual([]);
  await shown.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(link);
  const other = await openPage(browser);
  other.page.setDefaultTimeout(8_000);
  await other.page.goto(link);
  await other.page.waitForURL(/\/inbox(\/|$)/);
  await other.page.goto(`${world.server.url}/w/${id}/settings?tab=people`);
  await other.page.getByText('Theo (you)').waitFor();
  expect(await other.page.getByRole('combobox').count()).toBe(0);
  expect(await other.page.getByRole('button', { name: 'Add a person' }).getAttribute('title')).toContain(
    'owner',
  );
  expect(other.complaints).toEqual([]);
  await other.page.context().close();
});

test('roles change in place; the last owner stays one and is told why', async () => {
  await page.getByRole('combobox', { name: 'Role of Theo' }).selectOption('operator');
  await page.getByRole('row', { name: /Theo/ }).waitFor();
  await until(
    () => roleOf('Theo'),
    (role) => role === 'operator',
  );
  await page.getByRole('combobox', { name: 'Role of Ada Byron' }).selectOption('viewer');
  await page.getByRole('alert').filter({ hasText: 'is the last owner' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Role of Ada Byron' }).inputValue()).toBe('owner');
  expect(await violations(page)).toEqual([]);
  // The refusal is what was asked for.
  complaints.splice(0);
});

test('what is enforced here is said, also what is not, and fits a narrow window', async () => {
  await section('Enforcement');
  await page.getByRole('heading', { name: 'Built-in loop' }).waitFor();
  await page
    .getByText(/^(Held|Partly held|Not held)$/)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const tab of ['you', 'appearance', 'people', 'enforcement']) {
    await page.goto(`${world.server.url}/w/${id}/settings?tab=${tab}`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect([tab, await isTooWide(page), await isScreenTooWide(page)]).toEqual([tab, false, false]);
  }
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a part that is gone after an update says so and offers to load the new version', async () => {
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await page.route(/\/assets\/agents-screen-/, (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { name: 'There is a new version' }).waitFor();
  expect(await violations(page)).toEqual([]);
  // The rest of the app goes on.
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  complaints.splice(0);
});

test('a lost connection is said with its age, and mends by itself', async () => {
  expect(await page.getByText('Live', { exact: true }).count()).toBe(1);
  const { port } = new URL(world.server.url);
  await world.server.kill();
  await page.getByText('The connection is lost.').waitFor();
  await page.getByText(/[2-9] s( ago|\))/).waitFor();
  expect(await violations(page)).toEqual([]);
  await button('Try now').click();
  await world.restart({ CONTROL_CENTER_PORT: port });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await world.ok('POST', `/api/workspaces/${id}/spaces`, { name: 'After the break' });
  await page.getByText('After the break').waitFor();
  complaints.splice(0);
});

test('signing out elsewhere ends it here, and signing in again goes on in the same place', async () => {
  await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
  await section('People');
  await page.getByText('You are signed out. Sign in again to go on where you were.').waitFor();
  const { code } = await world.ok('POST', '/api/sign-in-codes', {});
  await page.getByRole('textbox', { name: 'Sign-in link' }).fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Role of Theo' }).waitFor();
  await button(/^Ada Byron/).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in to Control Center' }).waitFor();
  complaints.splice(0);
});

test('what somebody wrote in the browser goes when they sign out, and nobody else finds or sends it', async () => {
  const { items } = await world.ok('GET', '/api/members');
  const theo = (items as { id: string; name: string }[]).find(({ name }) => name === 'Theo')?.id;
  const left = () =>
    page.evaluate(() => Object.keys(localStorage).filter((name) => /draft|outbox/.test(name)));
  const write = () =>
    page.evaluate(() => {
      localStorage.setItem('control-center.draft.cnv_1', '{"text":"for no other eyes"}');
      localStorage.setItem('control-center.outbox.1', '{"key":"1","body":"in nobody else’s name"}');
    });
  await signIn(page, world);
  await button(/^Ada Byron/).waitFor();
  await write();
  await page.reload();
  await button(/^Ada Byron/).waitFor();
  expect(await left()).toHaveLength(2);
  const other = await page.context().newPage();
  await signIn(other, world, undefined, theo);
  await button(/^Theo/).waitFor();
  expect(await left()).toEqual([]);
  await write();
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await page.bringToFront();
  await button(/^Theo/).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [page, other])
    await tab.getByRole('heading', { level: 1, name: 'Sign in to Control Center' }).waitFor();
  expect([await left(), asked.length]).toEqual([[], 1]);
  await other.close();
  complaints.splice(0);
});

const schemeOf = (on: Page) => on.evaluate(() => getComputedStyle(document.documentElement).colorScheme);

async function roleOf(name: string): Promise<string | undefined> {
  const { items } = await world.ok('GET', '/api/members');
  return (items as { name: string; role: string }[]).find((member) => member.name === name)?.role;
}

/** The screen scrolls in itself, so that the page is never too wide for it. */
const isScreenTooWide = (on: Page) =>
  on.evaluate(() => {
    const main = document.querySelector('main');
    return main !== null && main.scrollWidth > main.clientWidth;
  });
