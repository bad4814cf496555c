import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { until, type World } from '../e2e/world.ts';
import { flaws, openPage, signIn } from './browser.ts';
import { button, type DeskStage, field, LIMIT_MS, openDesk, saved } from './plan-desk-stage.ts';

let stage: DeskStage;
let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let propose: DeskStage['propose'];
let detail: DeskStage['detail'];
let pathOf: DeskStage['pathOf'];
let open: DeskStage['open'];

beforeAll(async () => {
  stage = await openDesk();
  ({ world, browser, page, ws, propose, detail, pathOf, open } = stage);
}, LIMIT_MS);
afterAll(() => stage?.end());

describe('two people on one plan', () => {
  let plan: string;
  let mara: Page;
  beforeAll(async () => {
    plan = await propose();
    const member = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
    ({ page: mara } = await openPage(browser));
    await signIn(mara, world, pathOf(plan), member.id);
  });

  test('see each other’s edits without a reload', async () => {
    await open(plan, '?node=ticket/read');
    await open(plan, '?node=ticket/read', mara);
    await field(mara, 'Title').fill('Read all of the code');
    await field(mara, 'Title').blur();
    await saved(page, 2);
    expect(await field(page, 'Title').inputValue()).toBe('Read all of the code');
  });

  test(
    'overwrite nothing: the later one is refused, sees both versions and reapplies',
    async () => {
      // A browser whose connection tells nothing learns of the other edit by the refusal alone.
      const { page: deaf } = await openPage(browser);
      await deaf.routeWebSocket(/./, () => undefined);
      await signIn(deaf, world, pathOf(plan));
      await open(plan, '?node=ticket/read', deaf);
      await field(mara, 'Title').fill('Theirs');
      await field(mara, 'Title').blur();
      await saved(mara, 3);
      await field(deaf, 'Title').fill('Mine');
      await field(deaf, 'Description').fill('Mine too.');
      await field(deaf, 'Description').blur();
      await deaf.getByText('your edits are based on revision 2, the newest is 3').waitFor();
      await deaf.getByText('2 edits of yours are kept here').waitFor();
      expect(await flaws(deaf)).toEqual([]);
      const [refused] = (await detail(plan)).proposal.tickets;
      expect(refused).toMatchObject({ title: 'Theirs', description: 'Do: Read the code.' });
      await button(deaf, /^Compare and reapply$/).click();
      const dialog = deaf.getByRole('dialog', { name: 'Your edits and revision 3' });
      expect(await flaws(deaf)).toEqual([]);
      await dialog.getByText('1 other edit of yours, which nobody else touched, is kept as well.').waitFor();
      const title = dialog.getByRole('group', { name: /· Title/ });
      await title.getByText('Both of you changed this').waitFor();
      expect(await title.locator('pre').allTextContents()).toEqual(['Theirs', 'Mine']);
      const apply = dialog.getByRole('button', { name: /Apply/ });
      expect(await apply.getAttribute('title')).toBe('1 field is not decided yet');
      await title.getByRole('radio', { name: 'Mine' }).check();
      await apply.click();
      await saved(deaf, 4);
      const [merged] = (await detail(plan)).proposal.tickets;
      expect(merged).toMatchObject({ title: 'Mine', description: 'Mine too.' });
      await deaf.context().close();
    },
    LIMIT_MS,
  );

  test(
    'have edits of different fields put together by themselves, and are told what came from whom',
    async () => {
      const { revision } = await detail(plan);
      await open(plan, '?node=ticket/check');
      await open(plan, '?node=ticket/read', mara);
      await field(page, 'Title').press('End');
      await page.keyboard.type(' twice');
      await field(mara, 'Description').fill('Hers.');
      await field(mara, 'Description').blur();
      const notice = page.getByText('Mara changed the plan meanwhile: “Mine” (Description).');
      await notice.waitFor();
      // Still in the field, which was not touched.
      await page.keyboard.type(' over');
      await saved(page, revision + 2);
      const { tickets } = (await detail(plan)).proposal;
      expect([tickets[0].description, tickets[2].title]).toEqual(['Hers.', 'Check it twice over']);
      expect(await flaws(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+s');
      await saved(page, revision + 3);
      expect((await detail(plan)).proposal.tickets).toMatchObject([
        { description: 'Hers.' },
        {},
        { title: 'Check it' },
        {},
      ]);
      await button(page, 'See what changed').click();
      await page.getByRole('region', { name: `What changed from ${revision} to ${revision + 1}` }).waitFor();
      expect(await notice.count()).toBe(0);
    },
    LIMIT_MS,
  );

  test('see who else looks at it, and at which sub-ticket', async () => {
    await open(plan, '?node=ticket/build', mara);
    await open(plan);
    await button(page, 'Mara is looking at “Build the exporter”').click();
    await page.waitForURL(/node=ticket%2Fbuild|node=ticket\/build/);
    await button(mara, 'Owner is looking at “Build the exporter”').waitFor();
  });

  test('have what is typed in the outline stand against what the other saved meanwhile', async () => {
    const { revision } = await detail(plan);
    await open(plan, '?view=outline');
    await page.getByRole('rowheader', { name: 'Check it' }).dblclick();
    await page.keyboard.type('Mine');
    await open(plan, '?node=ticket/check', mara);
    await field(mara, 'Title').fill('Theirs');
    await field(mara, 'Title').blur();
    await page.getByText(`your edits are based on revision ${revision}`).waitFor();
    await page.keyboard.press('Enter');
    expect((await detail(plan)).proposal.tickets[2].title).toBe('Theirs');
    await button(page, /^Compare and reapply$/).click();
    await button(page, 'All theirs').click();
    await button(page, /^Apply$/).click();
    await page.getByRole('rowheader', { name: 'Theirs' }).waitFor();
  });

  test('have half a schema stand against another one, which it does not overwrite when it is done', async () => {
    const { revision } = await detail(plan);
    await open(plan, '?node=ticket/docs');
    await field(page, 'Output schema').fill('{"type":"object"');
    await open(plan, '?node=ticket/docs', mara);
    await field(mara, 'Output schema').fill('{"type":"array"}');
    await field(mara, 'Output schema').blur();
    await page.getByText('The schema was changed while you were typing').waitFor();
    await field(page, 'Output schema').fill('{"type":"object"}');
    await page.keyboard.press('Control+s');
    expect(await detail(plan)).toMatchObject({ revision: revision + 1 });
    await button(page, 'Go on with mine').click();
    await page.keyboard.press('Control+s');
    await saved(page, revision + 2);
    expect((await detail(plan)).proposal.tickets[3].outputSchema).toEqual({ type: 'object' });
  });

  test('approve no revision that they were not asked about', async () => {
    const { revision } = await detail(plan);
    await open(plan);
    await button(page, 'Approve all').click();
    await open(plan, '?node=ticket/check', mara);
    await field(mara, 'Title').fill('Changed meanwhile');
    await field(mara, 'Title').blur();
    await saved(page, revision + 1);
    await button(page, 'Start the work')
      .and(page.getByTitle(/the plan moved on/))
      .waitFor();
  });

  test('decide once: whoever still looks at it is told', async () => {
    await open(plan);
    await button(page, 'Approve all').click();
    await world.ok('POST', `${ws}/orchestrations/${plan}/cancel`);
    await page.getByRole('region', { name: 'Progress' }).getByText('Cancelled').waitFor();
    expect(await button(page, 'Start the work').count()).toBe(0);
    await mara.context().close();
  });
});

test(
  'edits of a tab that was closed are there again, half a schema included',
  async () => {
    const plan = await propose();
    const context = page.context();
    const tab = await context.newPage();
    await open(plan, '?node=ticket/read', tab);
    await field(tab, 'Output schema').fill('{"type":');
    await context.setOffline(true);
    await field(tab, 'Title').fill('Written on a train');
    await field(tab, 'Title').blur();
    await tab.getByText('Not saved.', { exact: false }).first().waitFor();
    await tab.close();
    await context.setOffline(false);
    await open(plan, '?node=ticket/read');
    await saved(page, 2);
    expect(await field(page, 'Output schema').inputValue()).toBe('{"type":');
    expect((await detail(plan)).proposal.tickets[0].title).toBe('Written on a train');
  },
  LIMIT_MS,
);

test(
  'two tabs on one plan keep their own edits, and those of one that is closed go on in the other',
  async () => {
    const plan = await propose();
    const context = page.context();
    const tab = await context.newPage();
    await open(plan, '?node=ticket/read');
    await open(plan, '?node=ticket/build', tab);
    await context.route(/\/revisions$/, (route) => route.abort());
    for (const [at, title] of [
      [page, 'In the first tab'],
      [tab, 'In the second tab'],
    ] as const) {
      await field(at, 'Title').fill(title);
      await field(at, 'Title').blur();
      await at.getByText('Not saved.', { exact: false }).first().waitFor();
    }
    await context.unroute(/\/revisions$/);
    await page.reload();
    await saved(page, 2);
    expect(await field(page, 'Title').inputValue()).toBe('In the first tab');
    await tab.close();
    await open(plan, '?node=ticket/build');
    await until(
      () => detail(plan),
      ({ revision }) => revision === 3,
    );
    const { tickets } = (await detail(plan)).proposal;
    expect([tickets[0].title, tickets[1].title]).toEqual(['In the first tab', 'In the second tab']);
    const left = (id: string) =>
      Object.keys(localStorage).filter((name) => name.startsWith(`control-center.plan.${id}`));
    await until(
      () => page.evaluate(left, plan),
      (names) => names.length === 0,
    );
  },
  LIMIT_MS,
);

test('a viewer looks at everything and changes nothing', async () => {
  const plan = await propose();
  const { id } = await world.ok('POST', '/api/members', { name: 'Vic', role: 'viewer' });
  const { page: vic } = await openPage(browser);
  await signIn(vic, world, pathOf(plan, '?node=ticket/read'), id);
  await button(vic, 'Approve all').and(vic.locator('[aria-disabled="true"]')).waitFor();
  expect(await field(vic, 'Title').getAttribute('readonly')).not.toBeNull();
  expect(await button(vic, 'Cancel the plan…').getAttribute('aria-disabled')).toBe('true');
  expect(await button(vic, 'Delete sub-ticket').count()).toBe(0);
  expect(await flaws(vic)).toEqual([]);
  await vic.context().close();
});

describe('by keyboard alone', () => {
  test('the outline is walked, edited and its rows deleted', async () => {
    const plan = await propose();
    await open(plan);
    const press = async (...all: string[]) => {
      for (const key of all) await page.keyboard.press(key);
    };
    await press('\\');
    const grid = page.getByRole('treegrid', { name: 'Outline of the plan' });
    await grid.locator('[tabindex="0"]').focus();
    await press('ArrowDown', 'Enter', 'Control+a');
    await page.keyboard.type('Read it all');
    await press('Enter');
    await saved(page, 2);
    expect((await detail(plan)).proposal.tickets[0].title).toBe('Read it all');
    await grid.getByRole('rowheader', { name: 'Read it all' }).and(page.locator(':focus')).waitFor();
    await press('ArrowRight', 'Enter', 'ArrowDown', 'Enter');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[0].role === 'writer',
    );
    await press('ArrowRight', 'Enter');
    await page.getByRole('combobox', { name: 'Add a dependency' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('manual');
    await press('Enter');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[0].needs[0] === 'docs',
    );
    await grid.locator('[tabindex="0"]').focus();
    await press('Delete', 'Control+s');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets.length === 3,
    );
  });

  test('a plan is approved', async () => {
    const plan = await propose();
    await open(plan);
    await button(page, 'Approve all').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approve revision 1?' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Approve all').and(page.locator(':focus')).press('Enter');
    await page.getByRole('heading', { name: 'Approve revision 1?' }).and(page.locator(':focus')).waitFor();
    for (const key of ['Tab', 'Tab', 'Enter', 'Enter']) await page.keyboard.press(key);
    await until(
      () => detail(plan),
      ({ status }) => status !== 'proposed',
    );
    await page.getByRole('region', { name: 'Progress' }).waitFor();
    expect(await page.getByText(/decided before|already/).count()).toBe(0);
  });

  test('what is ticked of a plan stays a part of it when somebody draws a dependency', async () => {
    const plan = await propose();
    await open(plan, '?panel=part');
    await page.getByRole('checkbox', { name: /^Build/ }).press('Space');
    const { proposal } = await detail(plan);
    proposal.tickets.find(({ key }: { key: string }) => key === 'build').needs.push('docs');
    await world.ok('POST', `${ws}/orchestrations/${plan}/revisions`, { baseRevision: 1, proposal });
    await button(page, 'Approve 3 of 4…').waitFor();
  });
});
