import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { founded, scriptOf, until, type World } from '../e2e/world.ts';
import { createWebWorld, flaws, isTooWide, openBrowser, openPage, signIn } from './browser.ts';

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
  expect(await flaws(page)).toEqual([]);
});

test('theme and language hold over a reload', async () => {
  await section('Appearance');
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await schemeOf(page)).toBe('dark');
  await page.getByRole('radio', { name: 'Français' }).check();
  await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor();
  expect(await flaws(page)).toEqual([]);
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
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Sign-in link for Theo' });
  const link = await shown.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(await flaws(page)).toEqual([]);
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
  expect(await other.page.getByRole('button', { name: /^(How|Remove)/ }).count()).toBe(0);
  expect(await flaws(other.page)).toEqual([]);
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
  expect(await flaws(page)).toEqual([]);
  // The refusal is what was asked for.
  complaints.splice(0);
});

let theirs: Page[] = [];
/** Whose session was ended is told within seconds, which nobody has to wait for one by one. */
async function areSignedOut(): Promise<void> {
  for (const one of theirs) {
    await one.getByText('You are signed out. Sign in again').waitFor();
    if (one === theirs[0]) expect(await flaws(one)).toEqual([]);
    await one.context().close();
  }
  theirs = [];
}

test('where one is signed in is listed, and ended from there', async () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
  const { page: elsewhere } = await openPage(browser, { userAgent: firefox });
  await signIn(elsewhere, world);
  theirs.push(elsewhere);
  await section('Access');
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await sessions.getByText('Firefox on Linux').waitFor();
  expect(await sessions.getByRole('listitem').first().innerText()).toContain('In use now');
  expect(await flaws(page)).toEqual([]);
  await sessions.getByRole('button', { name: /^End the session of Firefox on Linux/ }).click();
  await sessions.getByText('Firefox on Linux').waitFor({ state: 'detached' });
  // What went from under the focus leaves it in the list.
  expect(await sessions.locator(':focus').count()).toBe(1);
  for (let n = 0; n < 2; n++) await signInElsewhere();
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await page.getByText('2 sessions ended.').waitFor();
  await sessions.getByText('Unknown browser').first().waitFor({ state: 'detached' });
});

async function signInElsewhere(): Promise<void> {
  const { code } = await world.ok('POST', '/api/sign-in-codes', {});
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${world.server.url}/api/session`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ code }) },
  });
  expect(answer.status).toBe(200);
}

test('a later look that fails leaves what is there, and says so', async () => {
  const broken = { code: 'database_corrupt', detail: 'The file is damaged.', retryable: false };
  await page.route('**/api/sessions?*', (route) => route.fulfill({ status: 500, json: broken }));
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  const note = page.getByRole('alert').filter({ hasText: 'This may be out of date' });
  await note.waitFor();
  await page.getByText('This browser').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/api/sessions?*');
  await note.getByRole('button', { name: 'Try again' }).click();
  await note.waitFor({ state: 'detached' });
  complaints.splice(0);
});

test('a token is made, shown once, and revoked; that of the first start says what it breaks', async () => {
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await button('Make a token').click();
  await tokens.getByText('Say where it will be used.').waitFor();
  await tokens.getByRole('textbox', { name: 'New token for' }).fill('laptop');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Token for laptop' });
  const token = await shown.getByRole('textbox', { name: 'Token' }).inputValue();
  expect(await flaws(page)).toEqual([]);
  await shown.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(token);
  const asked = () => fetch(`${world.server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect((await asked()).status).toBe(200);
  const dialog = page.getByRole('dialog', { name: 'Revoke a token' });
  await button('Revoke the token First start').click();
  await dialog.getByText('Make another token first').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button('Revoke the token laptop').click();
  await dialog.getByRole('button', { name: 'Revoke it' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect([(await asked()).status, await button('Revoke the token laptop').count()]).toEqual([401, 0]);
  expect(await tokens.locator(':focus').count()).toBe(1);
});

test('an owner sees how somebody gets in, and removes them; their name stays', async () => {
  await section('People');
  const { id: memberId } = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
  const { page: maras } = await openPage(browser);
  await signIn(maras, world, `/w/${id}/settings?tab=people`, memberId);
  await maras.getByText('Mara (you)').waitFor();
  theirs.push(maras);
  await page.reload();
  await button('Access of Mara').click();
  const access = page.getByRole('dialog', { name: 'How Mara gets in' });
  await access.getByText('Chrome on Linux').waitFor();
  await access.getByText('No tokens yet.').waitFor();
  expect(await flaws(page)).toEqual([]);
  await access.getByRole('button', { name: 'Done' }).click();
  await button('Remove Mara').click();
  const dialog = page.getByRole('dialog', { name: 'Remove Mara' });
  await dialog.getByText(/^Stays: what they wrote/).waitFor();
  expect(await flaws(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Mara was removed.').waitFor();
  expect(await page.locator('table, header').locator(':focus').count()).toBe(1);
  await page.getByText('1 former member').click();
  await page.getByText(/^Mara until/).waitFor();
  expect(await page.getByRole('row', { name: /Mara/ }).count()).toBe(0);
  expect(await flaws(page)).toEqual([]);
});

test('one leaves by oneself, the last owner not; nothing of them stays in the browser', async () => {
  expect(await button('Leave').getAttribute('title')).toBe('Make somebody else an owner first.');
  const { id: memberId } = await world.ok('POST', '/api/members', { name: 'Ben', role: 'viewer' });
  const { page: bens } = await openPage(browser);
  await signIn(bens, world, `/w/${id}/settings?tab=people`, memberId);
  await bens.evaluate(() => localStorage.setItem('control-center.draft.cnv_1', '{"text":"mine"}'));
  await bens.getByRole('button', { name: 'Leave' }).click();
  const dialog = bens.getByRole('dialog', { name: 'Leave this server' });
  await dialog.getByText(/^You are signed out everywhere/).waitFor();
  expect(await flaws(bens)).toEqual([]);
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  await bens.getByRole('heading', { level: 1, name: 'Sign in to Control Center' }).waitFor();
  expect(await bens.evaluate(() => localStorage.getItem('control-center.draft.cnv_1'))).toBeNull();
  const link = bens.getByRole('textbox', { name: 'Sign-in link' });
  for (const [typed, said] of [
    ['no link', 'This is no sign-in link.'],
    ['x'.repeat(43), 'This sign-in link is not valid'],
  ] as const) {
    await link.fill(typed);
    await bens.keyboard.press('Enter');
    await bens.getByText(said).waitFor();
    expect(await flaws(bens)).toEqual([]);
  }
  await bens.context().close();
  await areSignedOut();
});

test('what is enforced here is said, also what is not, and fits a narrow window', async () => {
  await section('Enforcement');
  await page.getByRole('heading', { name: 'Built-in loop' }).waitFor();
  await page
    .getByText(/^(Held|Partly held|Not held)$/)
    .first()
    .waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const tab of ['you', 'appearance', 'access', 'people', 'enforcement']) {
    await page.goto(`${world.server.url}/w/${id}/settings?tab=${tab}`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect([tab, await isTooWide(page), await isScreenTooWide(page)]).toEqual([tab, false, false]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a part that is gone after an update says so and offers to load the new version', async () => {
  await page.goto(`${world.server.url}/w/${id}/settings`);
  await page.route(/\/assets\/agents-screen-/, (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { name: 'There is a new version' }).waitFor();
  expect(await flaws(page)).toEqual([]);
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
  expect(await flaws(page)).toEqual([]);
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
