import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { DEMO_GOAL } from '../../scripts/demo/demo-proposal.ts';
import { demoScript } from '../../scripts/demo/demo-script.ts';
import type { World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage } from './browser.ts';

let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(demoScript), openBrowser()]);
  ({ page, complaints } = await openPage(browser));
  page.setDefaultTimeout(10_000);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const studioLink = () => page.getByRole('link', { name: 'Open in Plan Studio' });

test('a link signs in; a first workspace and a space for a repository are made', async () => {
  const { code } = await world.ok('POST', '/api/sign-in-codes', {});
  const { port } = new URL(world.server.url);
  await page.goto(`http://control-center.localhost:${port}/sign-in#code=${code}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme');
  await button('Create workspace').click();
  await button('Open a first space').click();
  const dialog = page.getByRole('dialog', { name: 'New space' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Invoices');
  await dialog.getByRole('radio', { name: 'Orchestrate' }).check();
  await dialog.getByRole('checkbox', { name: /ceo/ }).check();
  await dialog.getByRole('button', { name: 'Add a repository' }).click();
  await dialog.getByRole('textbox', { name: 'Path on the server' }).fill(world.stage.repository);
  await dialog.getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
}, 30_000);

test('a goal becomes a proposal, which opens in Plan Studio', async () => {
  const field = page
    .getByRole('combobox', { name: 'Message' })
    .or(page.getByRole('textbox', { name: 'Message' }));
  await field.fill(DEMO_GOAL);
  await page.keyboard.press('Enter');
  await studioLink().or(button('Open in Plan Studio')).first().click();
  await page.getByRole('heading', { level: 1, name: /Fix the invoice total/ }).waitFor();
}, 30_000);

const known = () => page.getByText(/^\d of 9$/).first();

test('an edit in Plan Studio changes the estimate at once and becomes a revision, of which the server says the same', async () => {
  await known().waitFor();
  expect(await known().textContent()).toBe('2 of 9');
  await page.getByRole('button', { name: /^Fix the invoice total/ }).click();
  await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Lead' });
  await page.getByText('3 of 9').waitFor();
  await page.getByText('Revision 2').first().waitFor();
  const { items } = await world.ok('GET', '/api/workspaces');
  const ws = `/api/workspaces/${items[0].id}`;
  const [plan] = (await world.ok('GET', `${ws}/orchestrations`)).items;
  const { estimate, revision, proposal } = await world.ok('GET', `${ws}/orchestrations/${plan.id}`);
  expect([revision, estimate.knownNodes, estimate.unknownNodes]).toEqual([2, 3, 6]);
  expect(proposal.tickets[0]).toMatchObject({ key: 'fix-total', role: 'lead' });
}, 30_000);

test('one approval starts the work, whose progress shows by itself until the deliverable is there', async () => {
  await button('Approve all').click();
  await button('Start the work').click();
  await page.getByText('9 of 9').waitFor({ timeout: 30_000 });
  await button('Show the deliverable').click();
  await page
    .getByText(/CHANGELOG|csv/i)
    .first()
    .waitFor();
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
}, 60_000);
