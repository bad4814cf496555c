import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Json, until, type World } from '../e2e/world.ts';
import { isTooWide, violations } from './browser.ts';
import { button, type DeskStage, LIMIT_MS, openDesk } from './plan-desk-stage.ts';

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
      stage.isBroken = true;
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
      expect(await violations(page)).toEqual([]);
      stage.isBroken = false;
      await work.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
      await work.getByText('Done').waitFor();
    },
    LIMIT_MS,
  );
});

const stateOf = (steps: Json[], key: string) => steps.find((step) => step.key === key)?.state;

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
    ];
    for (const search of states) {
      await open(plan, search);
      expect(await violations(page)).toEqual([]);
    }
    await page.goto(`${world.server.url}${pathOf(plan).split('/plans')[0]}/plans?status=completed`);
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.getByRole('region', { name: 'Deliverable' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const search of ['?node=ticket/build', '?view=outline', '?panel=revisions']) {
      await open(plan, search);
      expect(await isTooWide(page)).toBe(false);
    }
    expect(complaints).toEqual([]);
  },
  LIMIT_MS,
);
