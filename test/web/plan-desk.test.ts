import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Estimate } from '../../core-wasm/core.ts';
import { until } from '../e2e/world.ts';
import { flaws } from './browser.ts';
import { button, type DeskStage, field, LIMIT_MS, openDesk, saved } from './plan-desk-stage.ts';

let stage: DeskStage;
let page: Page;
let propose: DeskStage['propose'];
let detail: DeskStage['detail'];
let open: DeskStage['open'];

beforeAll(async () => {
  stage = await openDesk();
  ({ page, propose, detail, open } = stage);
}, LIMIT_MS);
afterAll(() => stage?.end());

describe('a proposed plan', () => {
  let plan: string;
  beforeAll(async () => {
    plan = await propose();
  });

  test('is edited, undone and saved as revisions', async () => {
    await open(plan, '?node=ticket/build');
    await field(page, 'Title').fill('Build the new exporter');
    await field(page, 'Title').blur();
    await saved(page, 2);
    expect((await detail(plan)).proposal.tickets[1].title).toBe('Build the new exporter');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await saved(page, 3);
    expect((await detail(plan)).proposal.tickets[1].title).toBe('Build the exporter');
    await button(page, 'Redo').click();
    await page.keyboard.press('Control+s');
    await saved(page, 4);
  });

  test(
    'says why a sub-ticket cannot depend on another, and takes the others',
    async () => {
      await open(plan, '?node=ticket/read');
      const combo = page.getByRole('combobox', { name: 'Add a dependency' });
      await combo.fill('check');
      const refused = page.getByRole('option', { name: /Check it/ });
      await refused.getByText('would go in a circle: read → build → check → read').waitFor();
      expect(await flaws(page)).toEqual([]);
      expect(await refused.getAttribute('aria-disabled')).toBe('true');
      await combo.press('Enter');
      await combo.fill('manual');
      await combo.press('Enter');
      await page
        .getByRole('region', { name: 'Depends on' })
        .getByRole('button', { name: 'Write the manual', exact: true })
        .waitFor();
      await until(
        () => detail(plan),
        ({ proposal: { tickets } }) => tickets[0].needs[0] === 'docs',
      );
    },
    LIMIT_MS,
  );

  test(
    'keeps a schema that is none and does not let it be approved',
    async () => {
      await open(plan, '?node=ticket/docs');
      await field(page, 'Output schema').fill('{"type": "objet"}');
      await page.getByText('At the top: “type” is one of').waitFor();
      expect(await flaws(page)).toEqual([]);
      await button(page, /Approve all/)
        .and(page.getByTitle('An output schema is not valid yet'))
        .waitFor();
      await field(page, 'Output schema').fill('{"type": "object"}');
      await field(page, 'Output schema').blur();
      await until(
        () => detail(plan),
        ({ proposal: { tickets } }) => tickets[3].outputSchema?.type === 'object',
      );
      expect(await button(page, 'Approve all').getAttribute('aria-disabled')).toBeNull();
    },
    LIMIT_MS,
  );

  test(
    'names what a deletion breaks, and brings it back',
    async () => {
      await open(plan, '?node=ticket/build');
      await button(page, 'Delete sub-ticket').click();
      const dialog = page.getByRole('dialog', { name: /Delete/ });
      await dialog.getByText('1 sub-ticket depends on it').waitFor();
      await dialog.getByText('Check it').waitFor();
      expect(await flaws(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete sub-ticket' }).click();
      await until(
        () => detail(plan),
        ({ proposal: { tickets } }) => tickets.length === 3,
      );
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+s');
      await until(
        () => detail(plan),
        ({ proposal: { tickets } }) => tickets[2]?.needs?.[0] === 'build',
      );
    },
    LIMIT_MS,
  );

  test('has its estimate computed in the browser bit for bit as in the server', async () => {
    await open(plan);
    const { estimate } = (await detail(plan)) as { estimate: Estimate };
    expect(estimate).toMatchObject({ knownNodes: 4, unknownNodes: 1 });
    expect(await shownRanges()).toEqual(exactly(estimate));
    await page.getByText('4 of 5').waitFor();
    await page.getByText('1 unknown, not counted').waitFor();
    expect(await page.getByText(/^at least/).count()).toBe(4);
  });

  test('has its estimate follow what its agents do beside it', async () => {
    await open(plan, '?node=ticket/read');
    await page.getByText('From 3 completed runs of engineer.').waitFor();
    await stage.work();
    await page.getByText('From 4 completed runs of engineer.').waitFor();
    await open(plan);
    expect(await shownRanges()).toEqual(exactly((await detail(plan)).estimate as Estimate));
  });

  test(
    'keeps all that is typed while a save is on its way, and when it is left and opened again meanwhile',
    async () => {
      const plan = await propose();
      await open(plan, '?node=ticket/read');
      const answer = Promise.withResolvers<void>();
      await page.route(/\/revisions$/, async (route) => {
        await answer.promise;
        await route.continue();
      });
      await field(page, 'Title').press('End');
      await page.keyboard.type(' one');
      await page.keyboard.press('Control+s');
      await page.getByText('Saving…').first().waitFor();
      await page.keyboard.type(' two');
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
      await page.goBack();
      expect(await field(page, 'Title').inputValue()).toBe('Read the code one two');
      await field(page, 'Title').press('End');
      await page.keyboard.type(' three');
      answer.resolve();
      await page.keyboard.press('Control+s');
      await until(
        () => detail(plan),
        ({ proposal: { tickets } }) => tickets[0].title === 'Read the code one two three',
      );
      await page.unroute(/\/revisions$/);
      expect(await field(page, 'Title').inputValue()).toBe('Read the code one two three');
      await page.getByText('Saved', { exact: true }).waitFor();
    },
    LIMIT_MS,
  );

  test('has the same revision restored again, as another one', async () => {
    const plan = await propose();
    await open(plan, '?node=ticket/build');
    await field(page, 'Title').fill('Changed');
    await field(page, 'Title').blur();
    await saved(page, 2);
    await button(page, 'Revisions').click();
    await button(page, 'Restore as revision 3, from revision 1').click();
    await saved(page, 3);
    await button(page, 'Restore as revision 4, from revision 1').click();
    await saved(page, 4);
    expect((await detail(plan)).revision).toBe(4);
  });

  test(
    'has revisions that are compared, looked at and restored',
    async () => {
      await open(plan);
      await button(page, 'Revisions').click();
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Revision 2' })
        .getByRole('button', { name: 'Compare with 1' })
        .click();
      const changes = page.getByRole('region', { name: 'What changed from 1 to 2' });
      await changes.getByText('new', { exact: false }).first().waitFor();
      expect(await changes.locator('ins').allTextContents()).toEqual(['new ']);
      expect(page.url()).toContain('diff=1..2');
      expect(await flaws(page)).toEqual([]);
      const { revision } = await detail(plan);
      await button(page, `Restore as revision ${revision + 1}, from revision 1`).click();
      await until(
        () => detail(plan),
        (now) => now.revision === revision + 1,
      );
      const restored = await detail(plan);
      expect(restored.proposal.tickets[1].title).toBe('Build the exporter');
      await page.getByText('Restored from revision 1').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'is sent back only with words',
    async () => {
      const other = await propose();
      await open(other);
      await button(page, 'Request changes…').click();
      const dialog = page.getByRole('dialog', { name: 'Request changes to revision 1' });
      expect(
        await dialog.getByRole('button', { name: /Request changes/ }).getAttribute('aria-disabled'),
      ).toBe('true');
      await dialog.getByRole('textbox').fill('Leave the manual out.');
      expect(await flaws(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.reload();
      await button(page, 'Request changes…').click();
      expect(await dialog.getByRole('textbox').inputValue()).toBe('Leave the manual out.');
      await dialog.getByRole('button', { name: /Request changes/ }).click();
      await page.getByText('Leave the manual out.').waitFor();
      await button(page, /Approve all/)
        .and(page.getByTitle(/waits for its next revision/))
        .waitFor();
      expect((await detail(other)).changesRequestedReason).toBe('Leave the manual out.');
    },
    LIMIT_MS,
  );
});

/** The ranges of the approval bar, exactly: longest path, simulated, sum, simulated. */
const shownRanges = (at: Page = page) =>
  at
    .getByRole('region', { name: 'Decision' })
    .locator('data')
    .evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value));

const exactly = ({ cost, duration }: Estimate) =>
  [duration.longestPath, duration.simulated, cost.sumOfQuartiles, cost.simulated].map((range) =>
    range ? `${range.p25}/${range.p75}` : '',
  );
