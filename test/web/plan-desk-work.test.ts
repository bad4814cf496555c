import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Json, until, type World } from '../e2e/world.ts';
import { flaws } from './browser.ts';
import { button, type DeskStage, LIMIT_MS, openDesk, saved } from './plan-desk-stage.ts';

let stage: DeskStage;
let world: World;
let page: Page;
let complaints: string[];
let propose: DeskStage['propose'];
let detail: DeskStage['detail'];
let pathOf: DeskStage['pathOf'];
let open: DeskStage['open'];

beforeAll(async () => {
  stage = await openDesk();
  ({ world, page, complaints, propose, detail, pathOf, open } = stage);
}, LIMIT_MS);
afterAll(() => stage?.end());

describe('approval', () => {
  test(
    'of a part: ticking one ticks what it needs, the rest is deferred and approved later',
    async () => {
      const plan = await propose();
      await open(plan, '?panel=part');
      const tick = (name: RegExp) => page.getByRole('checkbox', { name });
      await tick(/^Check it/).check();
      expect(await tick(/^Read the code/).isChecked()).toBe(true);
      expect(await tick(/^Write the manual/).isChecked()).toBe(false);
      await tick(/^Build the exporter/).uncheck();
      expect(await tick(/^Check it/).isChecked()).toBe(false);
      await tick(/^Build the exporter/).check();
      await button(page, 'Approve 2 of 4…').click();
      await page.getByText('2 of 4 sub-tickets start').waitFor();
      await button(page, 'Start the work').click();
      await page.getByText('2 deferred').waitFor();
      await until(
        () => detail(plan),
        ({ steps }) => stateOf(steps, 'ticket/build') === 'done',
      );
      await button(page, 'Approve deferred…').click();
      await tick(/^Check it/).check();
      await button(page, 'Approve 1').click();
      await page.getByText('1 deferred').waitFor();
      await page.goto(world.server.url + pathOf(plan, '?node=ticket/docs'));
      await page.getByRole('region', { name: 'Work' }).getByText('Deferred', { exact: true }).waitFor();
      await button(page, 'Leave it out').click();
      await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
      await button(page, 'Show the deliverable').click();
      await page.getByRole('region', { name: 'Deliverable' }).getByText('Everything is').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'says what starts; a failed step is shown, retried, and the work goes on',
    async () => {
      stage.trouble = 400;
      const plan = await propose();
      await open(plan);
      await button(page, 'Approve all').click();
      await page.getByText('4 sub-tickets start').waitFor();
      await button(page, 'Start the work').click();
      await button(page, 'Show the failed step').click();
      const work = page.getByRole('region', { name: 'Work' });
      await work.getByText('Failed', { exact: true }).waitFor();
      expect(await work.getByRole('link', { name: 'Open the run' }).getAttribute('href')).toContain(
        '/runs/run_',
      );
      await work
        .getByRole('button', { name: /^Skip/ })
        .and(page.getByTitle(/no deliverable/))
        .waitFor();
      expect(await flaws(page)).toEqual([]);
      stage.trouble = null;
      await work.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
      await work.getByText('Done').waitFor();
    },
    LIMIT_MS,
  );
});

test(
  'a step that is stuck says why everywhere, and goes on by the button beside it',
  async () => {
    stage.trouble = 401;
    const plan = await propose();
    await open(plan);
    await button(page, 'Approve all').click();
    await button(page, 'Start the work').click();
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText('1 blocked').waitFor();
    await button(page, 'Show what is held up').click();
    const work = page.getByRole('region', { name: 'Work' });
    await work.getByText('Blocked', { exact: true }).waitFor();
    await work.getByText('Whoever runs the server has to set a valid key.').waitFor();
    expect(await flaws(page)).toEqual([]);
    await page.keyboard.press('\\');
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^Synthesis/ }) });
    await row.getByText('No valid key').waitFor();
    expect(await flaws(page)).toEqual([]);
    for (const ask of ['Raise the budget…', 'Cancel the plan…']) {
      await button(page, ask).click();
      await page.getByRole('dialog').waitFor();
      expect(await flaws(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    stage.trouble = null;
    await work.getByRole('button', { name: 'Resume' }).click();
    await progress.getByText('Completed').waitFor();
    expect(await work.getByText('No valid key').count()).toBe(0);
  },
  LIMIT_MS,
);

/** An answer that is not asked for again by itself. */
const REFUSED = {
  ...{ status: 403, contentType: 'application/problem+json' },
  body: JSON.stringify({ code: 'forbidden', detail: 'Not now.', retryable: false }),
};

const stateOf = (steps: Json[], key: string) => steps.find((step) => step.key === key)?.state;

test(
  'what was found stays when a later look fails, which is said beside it with a way to try again',
  async () => {
    const plan = await propose();
    await open(plan, '?panel=revisions');
    await page.getByRole('list', { name: 'Revisions' }).waitFor();
    const path = /\/orchestrations\/[^/]+(\/revisions|\/estimate-basis)?$/;
    await page.route(path, (route) =>
      route.request().method() === 'GET' ? route.fulfill(REFUSED) : route.continue(),
    );
    const { proposal } = await detail(plan);
    await world.ok('POST', `${stage.ws}/orchestrations/${plan}/revisions`, {
      ...{
        baseRevision: 1,
        key: crypto.randomUUID(),
        proposal: { ...proposal, tickets: proposal.tickets.slice(0, 3) },
      },
    });
    const failed = page.getByText('A part of this could not be refreshed');
    await failed.first().waitFor();
    await page.getByRole('list', { name: 'Revisions' }).waitFor();
    expect(await flaws(page)).toEqual([]);
    await page.unroute(path);
    await button(page, 'Try again').first().click();
    await saved(page, 2);
    await page.goto(`${world.server.url}${pathOf(plan).split('/plans')[0]}/plans`);
    await page.getByRole('table').waitFor();
    const list = /\/orchestrations\?/;
    await page.route(list, (route) => route.fulfill(REFUSED));
    await world.ok('POST', `${stage.ws}/orchestrations/${plan}/cancel`);
    await failed.waitFor();
    await page.getByRole('table').waitFor();
    expect(await flaws(page)).toEqual([]);
    await page.unroute(list);
    await button(page, 'Try again').click();
    await page.getByRole('row').filter({ hasText: 'Cancelled' }).first().waitFor();
  },
  LIMIT_MS,
);

test(
  'every state is accessible, and nothing has to be scrolled sideways at 320 pixels',
  async () => {
    const plan = await propose();
    const states = [
      '',
      '?view=outline&node=ticket/build',
      '?panel=revisions',
      '?panel=part',
      '?node=synthesis',
      '?node=ticket/gone',
      '?rev=1&talk=1',
    ];
    for (const search of states) {
      await open(plan, search);
      expect([search, await flaws(page)]).toEqual([search, []]);
    }
    await page.goto(`${world.server.url}${pathOf(plan).split('/plans')[0]}/plans?status=completed`);
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.getByRole('region', { name: 'Deliverable' }).waitFor();
    expect(await flaws(page)).toEqual([]);
    await page.goto(`${world.server.url}${pathOf(plan).split('/plans')[0]}/plans?status=synthesizing`);
    await page.getByText('No plan matches').waitFor();
    expect(await flaws(page)).toEqual([]);
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
  },
  LIMIT_MS,
);
