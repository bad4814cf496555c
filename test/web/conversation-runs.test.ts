import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { DEMO_GOAL } from '../../scripts/demo/demo-proposal.ts';
import { demoScript } from '../../scripts/demo/demo-script.ts';
import { founded, type Json, onWord, toolCall, until, type World } from '../e2e/world.ts';
import type { ModelScript } from '../model/script.ts';
import { createWebWorld, openBrowser, openPage, signIn, violations } from './browser.ts';

const WORDS = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
const SCRIPT: ModelScript = {
  ...demoScript,
  dialogues: [
    onWord(
      'edit the file',
      { tools: [toolCall('write_file', { path: 'notes.md', content: 'written by the agent\n' })] },
      { text: WORDS, tools: [toolCall('list_files', {})], chunkDelayMs: 60 },
      { text: 'I am done with the file.' },
    ),
    onWord(
      'delegate it',
      { tools: [toolCall('run_subagent', { task: 'look here' })] },
      { text: 'All of it was looked at.' },
    ),
    onWord('look here', { text: 'Seen.' }),
    onWord('go on for long', { text: WORDS.repeat(20), chunkDelayMs: 30 }),
    ...demoScript.dialogues,
  ],
};

let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let workspaceId: string;
let agents: Record<string, string>;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(SCRIPT), openBrowser()]);
  ({ ws, id: workspaceId, agents } = await founded(world, 'Acme'));
  ({ page } = await openPage(browser));
  page.setDefaultTimeout(10_000);
  await signIn(page, world);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

async function opened(name: string, more: Json = {}): Promise<Json> {
  const space = await world.ok('POST', `${ws}/spaces`, {
    ...{ name, mode: 'chat', agents: [agents.engineer], whenNobody: 'wait' },
    repositories: [{ name: 'invoices', path: world.stage.repository }],
    ...more,
  });
  await page.goto(`${world.server.url}/w/${workspaceId}/spaces/${space.id}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return space;
}
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const log = () => page.getByRole('log', { name: 'Messages' });
const bar = () => page.getByRole('region', { name: 'Agents at work' });
async function write(text: string): Promise<void> {
  const field = page.getByLabel('Message', { exact: true }).last();
  await field.fill(text);
  await field.press('Enter');
}
const runOf = async (space: Json): Promise<Json> =>
  (await world.ok('GET', `${ws}/runs?conversationId=${space.mainConversationId}`)).items[0];

test('a run is taken over, handed back with a note, and its files are taken back', async () => {
  const space = await opened('Files');
  await write('Please edit the file');
  await log().getByText('word3').waitFor();
  await button(/^More for this run/).click();
  await page.getByRole('menuitem', { name: 'Take over' }).click();
  await button('Take over now').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The files are here').waitFor({ timeout: 25_000 });
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Note for the agent' }).fill('I looked at it.');
  await button('Hand back', dialog).click();
  await page.getByRole('article').filter({ hasText: 'I am done with the file.' }).waitFor();
  const { id } = await runOf(space);
  const { items } = await world.ok('GET', `${ws}/runs/${id}/entries?limit=100`);
  expect(JSON.stringify(items)).toContain('I looked at it.');
  await button(/^Worked for/).click();
  await button('Undo…').click();
  await dialog.getByRole('radio', { name: 'Files only' }).check();
  expect(await violations(page)).toEqual([]);
  await button('Take it back', dialog).click();
  await page.getByText('Taken back. 1 file changed.').waitFor();
  await button('Bring them back').click();
  await until(
    async () => (await world.ok('GET', `${ws}/runs/${id}/checkpoints`)).items as Json[],
    (points) => points.filter(({ undoId }) => undoId !== null).length >= 2,
  );
}, 60_000);

test('a run that is asked to pause says so, and Escape stops it', async () => {
  const space = await opened('Stopping');
  await write('Please go on for long');
  await log().getByText('word3').first().waitFor();
  await button('Pause', bar()).click();
  await bar().getByText('Pauses after the call it is making').waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Escape');
  await log()
    .getByText(/^Stopped after/)
    .waitFor();
  await bar().waitFor({ state: 'detached' });
  expect((await runOf(space)).status).toBe('cancelled');
}, 30_000);

test('sub-agents stand below their parent, and the runs beside the conversation with what they cost together', async () => {
  await opened('Delegating');
  await write('Please delegate it');
  await page.getByRole('article').filter({ hasText: 'All of it was looked at.' }).waitFor();
  await button(/^Worked for.*1 sub-agent/).waitFor();
  await button('Runs').click();
  const tree = page.getByRole('tree', { name: 'Runs of this conversation' });
  await tree.getByText(/^with sub-agents \$/).waitFor();
  expect(await tree.getByRole('treeitem').count()).toBe(2);
  expect(new URL(page.url()).search).toBe('?runs=1');
  expect(await violations(page)).toEqual([]);
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/run_/);
}, 30_000);

test('a proposal’s card keeps its place from the proposal to the deliverable', async () => {
  await opened('Goal', { mode: 'orchestrate', agents: [agents.ceo] });
  await write(DEMO_GOAL);
  await log().getByText('Waiting for approval').waitFor();
  expect(await violations(page)).toEqual([]);
  await button('Request changes…').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('x');
  await page.keyboard.press('Escape');
  await button('Approve').click();
  await log()
    .getByText(/of 9 steps done/)
    .waitFor();
  await log().getByText('Completed').waitFor({ timeout: 30_000 });
  await log().getByText('9 of 9 steps done').waitFor();
  await log().getByText('Deliverable').waitFor();
  expect(await violations(page)).toEqual([]);
}, 60_000);
