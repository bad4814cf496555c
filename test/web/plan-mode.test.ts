import { afterAll, beforeAll, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { PLAN, PLAN_SCRIPT } from '../e2e/plan-script.ts';
import { founded, type Json, spaceWith, until, type World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';

let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let room: Json;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(PLAN_SCRIPT), openBrowser()]);
  ({ page } = await openPage(browser));
  page.setDefaultTimeout(10_000);
  const workspace = await founded(world, 'Acme');
  ws = workspace.ws;
  const repositories = [{ name: 'app', path: world.stage.repository }];
  room = await spaceWith(world, ws, workspace.agents.ceo!, { repositories });
  await signIn(page, world, `/w/${workspace.id}/spaces/${room.id}`);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const field = () => page.getByLabel('Message', { exact: true });
const say = async (text: string) => {
  await field().fill(text);
  await field().press('Enter');
};
const modeOf = async () => (await world.ok('GET', `${ws}/spaces/${room.id}`)).mode;

test('Shift+Tab takes the space into plan mode, where a plan is submitted that opens in Plan Studio', async () => {
  await field().focus();
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('button', { name: /Mode/ }).getByText('Plan', { exact: true }).waitFor();
  await until(modeOf, (mode) => mode === 'plan');
  await say('make a plan');
  await page.getByText(PLAN.goal).first().waitFor();
  await page.getByRole('link', { name: 'Open in Plan Studio' }).click();
  await page.getByRole('heading', { level: 1, name: PLAN.goal }).waitFor();
}, 30_000);

test('approved, it is done, and the space works on in Agent mode', async () => {
  await page.getByRole('button', { name: 'Approve all' }).click();
  await page.getByRole('button', { name: 'Start the work' }).click();
  await page.getByRole('button', { name: 'Show the deliverable' }).click({ timeout: 30_000 });
  await page.getByText('PAYING.md says it').first().waitFor();
  await page.getByRole('link', { name: 'room' }).first().click();
  await page.getByRole('button', { name: /Mode/ }).getByText('Agent', { exact: true }).waitFor();
  await say('go on');
  await page.getByText('Done.', { exact: true }).first().waitFor();
}, 60_000);
