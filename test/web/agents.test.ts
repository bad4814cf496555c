import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { founded, onWord, scriptOf, spaceWith, until, type World } from '../e2e/world.ts';
import { createWebWorld, flaws, openBrowser, openPage, signIn } from './browser.ts';

setDefaultTimeout(20_000);
let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
let ws: string;
let id: string;
let agents: Record<string, string>;

beforeAll(async () => {
  const slow = { text: 'Looked at it.', delayMs: 1_500 };
  world = await createWebWorld(scriptOf(onWord('slow', slow), onWord('quick', { text: 'Done.' })));
  ({ ws, id, agents } = await founded(world, 'Acme'));
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, { reducedMotion: 'no-preference' }));
  await signIn(page, world, `/w/${id}/agents`);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const goTo = (path: string, on = page) => on.goto(`${world.server.url}/w/${id}${path}`);
const agent = (name: string) => world.ok('GET', `${ws}/agents/${agents[name]}`);
const row = (name: string) => page.locator(`tr[data-agent="${agents[name]}"]`);
const bar = (on: Page) => on.getByRole('button', { name: 'Review and save' });

/** Saves what was typed, through the dialog that shows it. */
async function save(on: Page): Promise<void> {
  await bar(on).click();
  await on.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
}

test('the roster says who there is, what each does and costs, as it happens', async () => {
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await row('engineer').getByText('Never run').waitFor();
  const space = await spaceWith(world, ws, agents.engineer as string);
  await world.ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, { body: 'slow please' });
  await row('engineer').getByText('Thinking').waitFor();
  await row('engineer').getByText('Running').waitFor();
  expect(await flaws(page)).toEqual([]);
  await row('engineer').getByRole('cell').getByText('Idle').first().waitFor();
  await row('engineer')
    .getByText(/^\$0\.0/)
    .waitFor();
  await page.getByPlaceholder('Find an agent').fill('quality');
  await page.getByText('1 of 5 agents').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('quality');
  await page.getByLabel('State').selectOption('failed');
  await page.getByRole('heading', { name: 'No agent fits' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show all agents' }).click();
  await row('ceo').waitFor();
});

test('a look that fails later takes nothing off the screen, and is tried again', async () => {
  const json = { code: 'conflict', detail: 'Budgets are being counted.', retryable: false };
  await page.route('**/budgets', (route) => route.fulfill({ status: 409, json }));
  const spent = await row('engineer')
    .getByText(/^\$0\.0/)
    .textContent();
  await world.ok('PUT', `${ws}/budgets/workspace`, { capMicros: 90_000_000 });
  const told = page.getByRole('status').filter({ hasText: 'may be out of date' });
  await told.getByText('Budgets are being counted.').waitFor();
  expect(
    await row('engineer')
      .getByText(/^\$0\.0/)
      .textContent(),
  ).toBe(spent);
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/budgets');
  await told.getByRole('button', { name: 'Try again' }).click();
  await told.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Budgets' }).click();
  const dialog = page.getByRole('dialog', { name: 'Budgets' });
  await dialog.getByText('/ $90.00').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.route('**/agents?*', (route) => route.fulfill({ json: { items: [], next: null } }));
  await goTo('/org');
  await page.getByRole('link', { name: 'New agent' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await goTo('/agents');
  await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
  await page.unroute('**/agents?*');
});

test('a budget is set, shown against what was spent, and taken away', async () => {
  await goTo(`/agents/${agents.engineer}`);
  const month = page.getByRole('region', { name: 'This month' });
  const limit = month.getByLabel('Limit, dollars a month');
  await limit.fill('nothing');
  await month.getByRole('alert').getByText('Write a sum above zero').waitFor();
  await limit.fill('12.50');
  await limit.press('Enter');
  await month.getByText('/ $12.50').waitFor();
  const budget = () => world.ok('GET', `${ws}/budgets/agent:${agents.engineer}`);
  expect((await budget()).capMicros).toBe(12_500_000);
  await world.ok('PUT', `${ws}/budgets/agent:${agents.engineer}`, { capMicros: 3_000_000 });
  await month.getByText('/ $3.00').waitFor();
  await month.getByRole('button', { name: 'Remove limit' }).click();
  await month.getByText('no limit').waitFor();
  expect((await budget()).capMicros).toBeNull();
});

test('settings are typed, looked at, saved and undone', async () => {
  await goTo(`/agents/${agents.qa}`);
  await page.getByLabel('Job title').fill('Head of quality');
  await page.getByLabel('Persona', { exact: true }).fill('Calm.\nNever guesses.');
  await page.getByLabel('Skills', { exact: true }).fill('testing');
  await page.getByLabel('Skills', { exact: true }).press('Enter');
  await page.getByLabel('Answers a run may take').fill('twelve');
  await page.getByText('Write a whole number').waitFor();
  expect(await bar(page).getAttribute('aria-disabled')).toBe('true');
  await page.getByText('All models with their prices').click();
  const preview = page.getByRole('button', { name: 'Preview: Persona' });
  await preview.click();
  await page.getByRole('region', { name: 'Preview: Persona' }).getByText('Never guesses.').waitFor();
  await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 1e6));
  expect(await flaws(page)).toEqual([]);
  await preview.click();
  await page.getByLabel('Answers a run may take').fill('12');
  await bar(page).click();
  const dialog = page.getByRole('dialog', { name: 'Save these changes?' });
  await dialog.getByText('Head of quality').waitFor();
  expect(await dialog.locator('dt').allTextContents()).toEqual([
    ...['Job title', 'Persona', 'Skills', 'Answers a run may take'],
  ]);
  expect(await flaws(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('qa is saved.').waitFor();
  expect(await agent('qa')).toMatchObject({ title: 'Head of quality', skills: ['testing'], maxTurns: 12 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('qa is as it was before.').waitFor();
  expect(await agent('qa')).toMatchObject({ title: 'Quality Engineer', skills: [], maxTurns: null });
});

test('who changed what of an agent is told from what to what, page by page', async () => {
  await page.getByRole('tab', { name: 'Settings' }).focus();
  await page.keyboard.press('ArrowLeft');
  const entries = page.getByRole('list', { name: 'Changes, the newest first' }).locator('> li');
  const [undone, saved] = [entries.nth(0), entries.nth(1)];
  await saved.getByText('Owner').waitFor();
  expect(await saved.locator('dt').allTextContents()).toEqual([
    ...['Job title', 'Persona', 'Skills', 'Answers a run may take'],
  ]);
  expect(await saved.locator('del').first().textContent()).toBe('before: Quality Engineer');
  expect(await saved.locator('ins').first().textContent()).toBe('after: Head of quality');
  // Of a long text the log has no word.
  expect(await saved.locator('ins').nth(1).textContent()).toMatch(
    /^after: text of 20 characters [0-9a-f]{12}$/,
  );
  expect(await undone.locator('ins').last().textContent()).toBe('after: not set');
  expect(await flaws(page)).toEqual([]);
  let { version } = await agent('qa');
  for (let maxTurns = 100; maxTurns < 140; maxTurns++)
    ({ version } = await world.ok('PATCH', `${ws}/agents/${agents.qa}`, { maxTurns, version }));
  await page.getByText('40 changes shown').waitFor();
  await entries.first().getByText('139').waitFor();
  await page.getByRole('button', { name: 'Show older changes' }).click();
  await page.getByText('These are all 43 changes.').waitFor();
  await entries.last().getByText('made this agent').waitFor();
});

test('every run of an agent is listed, the newest first, page by page', async () => {
  const space = await spaceWith(world, ws, agents.engineer as string);
  await world.ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, {
    body: 'quick please',
  });
  await page.route('**/runs?*', (route) =>
    route.continue({ url: route.request().url().replace('limit=40', 'limit=1') }),
  );
  await goTo(`/agents/${agents.engineer}?tab=runs`);
  await page.getByText('1 run shown').waitFor();
  const [newest] = (await world.ok('GET', `${ws}/runs?agentId=${agents.engineer}&order=newest`)).items;
  const links = page.getByRole('tabpanel').getByRole('rowheader').getByRole('link');
  expect(await links.first().getAttribute('href')).toEndWith(newest.id);
  await page.getByRole('button', { name: 'Show older runs' }).click();
  await page.getByText('These are all of its 2 runs.').waitFor();
  expect(await links.count()).toBe(2);
  await page.getByRole('tabpanel').getByText('Done').nth(1).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/runs?*');
  await goTo(`/agents/${agents.ceo}?tab=runs`);
  await page.getByRole('heading', { name: 'It has not run yet' }).waitFor();
});

test('a model of other efforts drops the effort and says so; all is saved by the keyboard alone', async () => {
  const model = (name: string, effort: string[]) => ({
    ...{
      id: name,
      provider: 'test',
      contextTokens: 1_000,
      maxOutputTokens: 100,
      effort,
      media: [],
      prices: null,
    },
  });
  // The scripted server has one model without efforts; what is saved is checked by the real one.
  await page.route('**/models', (route) =>
    route.fulfill({
      json: {
        defaultModel: 'scripted-model',
        items: [model('scripted-model', ['low', 'high']), model('other', [])],
      },
    }),
  );
  await goTo(`/agents/${agents.qa}`);
  await page.getByLabel('Effort').selectOption('high');
  await page.getByLabel('Model', { exact: true }).selectOption('other');
  await page.getByText('“high” is no level of other').waitFor();
  expect(await page.getByLabel('Effort').inputValue()).toBe('');
  await page.getByLabel('Model', { exact: true }).selectOption('');
  await page.getByLabel('Effort').selectOption('high');
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[role=alert]', { hasText: 'is no effort of the model' }).first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'effort');
  await page.unroute('**/models');
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('what the server refuses is said at its field, and nothing typed is lost', async () => {
  await goTo(`/agents/${agents.qa}`);
  await page.getByLabel('Name', { exact: true }).fill('ceo');
  await page.getByLabel('Silent at most, minutes').fill('900');
  await save(page);
  await page.locator('[name=silenceTimeoutMinutes][aria-invalid=true]').waitFor();
  await page.getByRole('alert').getByText(/240/).first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'silenceTimeoutMinutes');
  await page.getByLabel('Silent at most, minutes').fill('');
  await save(page);
  await page.locator('[role=alert]', { hasText: 'is taken' }).first().waitFor();
  await page.reload();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('ceo');
  await page.getByLabel('Reports to').selectOption({ label: 'engineer – Engineer' });
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('qa');
});

test('of two people who edit one agent the later is refused, sees both values and decides', async () => {
  const other = (await openPage(browser, { reducedMotion: 'no-preference' })).page;
  // Without news of the workspace, as on a train: it does not know that somebody was first.
  await other.routeWebSocket(/\/api\/live/, () => undefined);
  await signIn(other, world, `/w/${id}/agents/${agents.architect}`);
  await goTo(`/agents/${agents.architect}`);
  await other.getByLabel('Job title').fill('Mine');
  await other.getByLabel('Persona', { exact: true }).fill('Of the second.');
  await page.getByLabel('Job title').fill('Theirs');
  await save(page);
  await page.getByText('architect is saved.').waitFor();
  await save(other);
  const conflict = other.getByRole('alert').filter({ hasText: 'were not saved' });
  await conflict.getByText('Theirs', { exact: true }).waitFor();
  await conflict.getByText('Mine', { exact: true }).waitFor();
  expect((await agent('architect')).title).toBe('Theirs');
  // At the end of the form its bar covers nothing of it.
  await other.evaluate(() => document.querySelector('main')?.scrollTo(0, 1e6));
  expect(await flaws(other)).toEqual([]);
  await conflict.getByRole('radio').nth(1).check();
  await conflict.getByRole('button', { name: 'Go on with these values' }).click();
  expect(await other.getByLabel('Job title').inputValue()).toBe('Theirs');
  await save(other);
  await other.getByText('architect is saved.').waitFor();
  expect(await agent('architect')).toMatchObject({ title: 'Theirs', persona: 'Of the second.' });
  await other.context().close();
});

test('with news, the other person’s change comes in while one types', async () => {
  await goTo(`/agents/${agents.librarian}`);
  await page.getByLabel('Persona', { exact: true }).fill('Reads everything.');
  const { version } = await agent('librarian');
  await world.ok('PATCH', `${ws}/agents/${agents.librarian}`, { title: 'Archivist', version });
  await page.getByText('Somebody else changed Job title meanwhile').waitFor();
  expect(await page.getByLabel('Job title').inputValue()).toBe('Archivist');
  await save(page);
  await page.getByText('librarian is saved.').waitFor();
  expect(await agent('librarian')).toMatchObject({ title: 'Archivist', persona: 'Reads everything.' });
});

test('a new agent is made by the keyboard alone', async () => {
  await goTo('/agents');
  await row('ceo').waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'New agent' }).waitFor();
  expect(await page.title()).toContain('New agent');
  expect(await flaws(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Not A Slug');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Writer');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ceo');
  await page.keyboard.press('Control+s');
  await page.locator('[role=alert]', { hasText: 'must be a-z, 0-9 and single hyphens' }).first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('writer');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'writer' }).waitFor();
  const { items } = await world.ok('GET', `${ws}/agents`);
  expect(items.find(({ name }: { name: string }) => name === 'writer')).toMatchObject({
    reportsTo: agents.ceo,
  });
});

test('the chart is changed by dragging, and a circle is refused with its reason', async () => {
  await goTo('/org');
  const card = (name: string) =>
    page
      .getByRole('treeitem')
      .filter({ hasText: new RegExp(`${name}`, 'i') })
      .first();
  await card('engineer').waitFor();
  expect(await flaws(page)).toEqual([]);
  await card('engineer').dragTo(card('architect'));
  await page.getByText('engineer reports to architect now.').waitFor();
  expect((await agent('engineer')).reportsTo).toBe(agents.architect);
  const [from, to] = [await card('architect').boundingBox(), await card('engineer').boundingBox()];
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 40, (to?.y ?? 0) + 20, { steps: 5 });
  await page
    .getByText('Not possible, this would close a circle: architect → engineer → architect')
    .first()
    .waitFor();
  await page.mouse.up();
  expect((await agent('architect')).reportsTo).toBe(agents.ceo);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByText('engineer reports to ceo now.').waitFor();
});

test('the chart is walked and changed by the keyboard alone, as chart and as list', async () => {
  await goTo('/org');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toContain('architect');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toContain('engineer');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toContain('ceo');
  await page.keyboard.press('r');
  await page.keyboard.type('engineer');
  await page.getByText('This would close a circle: ceo → engineer → ceo').waitFor();
  expect((await agent('ceo')).reportsTo).toBeNull();
  await page.getByRole('treeitem', { selected: true }).focus();
  await page.keyboard.press('v');
  await page.getByRole('treeitem', { expanded: true }).first().waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowLeft');
  await until(
    () => page.getByRole('treeitem').count(),
    (n) => n === 1,
  );
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  expect(await focused()).toContain('writer');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'writer' }).waitFor();
});

test('who may only look reads everything in their language, and why they can change nothing', async () => {
  const vera = await world.ok('POST', '/api/members', { name: 'Vera', role: 'viewer' });
  const other = await openPage(browser, { locale: 'fr-FR' });
  const guest = other.page;
  await signIn(guest, world, `/w/${id}/agents/${agents.architect}`, vera.id);
  const reason = 'Vous pouvez consulter, mais rien modifier.';
  await guest.getByText(reason).first().waitFor();
  expect(await guest.getByLabel('Fonction', { exact: true }).getAttribute('readonly')).not.toBeNull();
  expect(await guest.getByLabel('Rend compte à').isDisabled()).toBe(true);
  expect(await guest.getByRole('button', { name: 'Ajouter une compétence' }).getAttribute('title')).toContain(
    reason,
  );
  expect(await flaws(guest)).toEqual([]);
  await guest.getByRole('tab', { name: 'Modifications' }).click();
  await guest.getByText('a modifié').first().waitFor();
  await guest.goto(`${world.server.url}/w/${id}/org`);
  await guest.getByRole('treeitem').first().click();
  await guest.getByText(reason).first().waitFor();
  expect(await flaws(guest)).toEqual([]);
  await guest.goto(`${world.server.url}/w/${id}/agents`);
  const isTooWide = () => guest.locator('main').evaluate((main) => main.scrollWidth > main.clientWidth);
  await guest.setViewportSize({ width: 320, height: 640 });
  await guest.getByText('N’a pas encore travaillé').first().waitFor();
  expect(await isTooWide()).toBe(false);
  const hire = guest.getByRole('button', { name: 'Nouvel agent' });
  await hire.click({ force: true });
  await guest.keyboard.press('n');
  expect(new URL(guest.url()).pathname).toEndWith('/agents');
  await guest.locator(`tr[data-agent="${agents.architect}"] th a`).click();
  await guest.getByText('Tous les modèles et leurs prix').click();
  await guest.getByRole('table', { name: /^Modèles/ }).waitFor();
  expect(await isTooWide()).toBe(false);
  await guest.goto(`${world.server.url}/w/${id}/agents/agt_none`);
  await guest.getByRole('heading', { name: 'Cet agent n’est pas là' }).waitFor();
  expect([...complaints, ...other.complaints].filter((one) => !/status of (400|409)/.test(one))).toEqual([]);
});
