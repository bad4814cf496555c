import { expect, test } from 'bun:test';
import { DEMO_GOAL } from '../../scripts/demo/demo-proposal.ts';
import { demoScript } from '../../scripts/demo/demo-script.ts';
import { type Json, onWord, toolCall, until } from '../e2e/world.ts';
import type { ModelScript } from '../model/script.ts';
import { flaws, openPage, signIn } from './browser.ts';
import { roomStage } from './room-stage.ts';

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
    onWord(
      'delegate trouble',
      { tools: [toolCall('run_subagent', { task: 'break down' })] },
      { text: 'It was mended and done.' },
    ),
    onWord('break down', {
      fault: { kind: 'status', status: 401, message: 'The key is not valid.', times: 1 },
      text: 'Done after all.',
    }),
    onWord('go on for long', { text: WORDS.repeat(20), chunkDelayMs: 30 }),
    ...demoScript.dialogues,
  ],
};

const stage = roomStage(SCRIPT);
const { opened, write, log, button } = stage;
const bar = () => stage.page.getByRole('region', { name: 'Agents at work' });
const runOf = async (space: Json): Promise<Json> => (await stage.runsOf(space))[0] as Json;

test('a run is taken over, handed back with a note, and its files are taken back', async () => {
  const space = await opened('Files');
  await write('Please edit the file');
  await log().getByText('word3').waitFor();
  await button(/^More for this run/).click();
  await stage.page.getByRole('menuitem', { name: 'Take over' }).click();
  await button('Take over now').click();
  const dialog = stage.page.getByRole('dialog');
  await dialog.getByText('The files are here').waitFor({ timeout: 25_000 });
  expect(await flaws(stage.page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Note for the agent' }).fill('I looked at it.');
  await button('Hand back', dialog).click();
  await stage.page.getByRole('article').filter({ hasText: 'I am done with the file.' }).waitFor();
  const { id } = await runOf(space);
  const { items } = await stage.world.ok('GET', `${stage.ws}/runs/${id}/entries?limit=100`);
  expect(JSON.stringify(items)).toContain('I looked at it.');
  await button(/^Worked for/).click();
  await button('Undo…').click();
  await dialog.getByRole('radio', { name: 'Files only' }).check();
  expect(await flaws(stage.page)).toEqual([]);
  await button('Take it back', dialog).click();
  await stage.page.getByText('Taken back. 1 file changed.').waitFor();
  await button('Bring them back').click();
  await until(
    async () => (await stage.world.ok('GET', `${stage.ws}/runs/${id}/checkpoints`)).items as Json[],
    (points) => points.filter(({ undoId }) => undoId !== null).length >= 2,
  );
}, 60_000);

test('a run that is asked to pause says so, and Escape stops it', async () => {
  const space = await opened('Stopping');
  await write('Please go on for long');
  await log().getByText('word3').first().waitFor();
  await button('Pause', bar()).click();
  await bar().getByText('Pauses after the call it is making').waitFor();
  await stage.page.getByRole('heading', { level: 1 }).click();
  await stage.page.keyboard.press('Escape');
  await log()
    .getByText(/^Stopped after/)
    .waitFor();
  await bar().waitFor({ state: 'detached' });
  expect((await runOf(space)).status).toBe('cancelled');
}, 30_000);

test('sub-agents stand below their parent, and the runs beside the conversation with what they cost together', async () => {
  await opened('Delegating');
  await write('Please delegate it');
  await stage.page.getByRole('article').filter({ hasText: 'All of it was looked at.' }).waitFor();
  await button(/^Worked for.*1 sub-agent/).waitFor();
  await button('Runs').click();
  const tree = stage.page.getByRole('tree', { name: 'Runs of this conversation' });
  await tree.getByText(/^with sub-agents \$/).waitFor();
  expect(await tree.getByRole('treeitem').count()).toBe(2);
  expect(new URL(stage.page.url()).search).toBe('?runs=1');
  expect(await flaws(stage.page)).toEqual([]);
  await tree.getByRole('treeitem').first().focus();
  await stage.page.keyboard.press('ArrowDown');
  await stage.page.keyboard.press('Enter');
  await stage.page.waitForURL(/\/runs\/run_/);
}, 30_000);

test('what holds a sub-agent up is said at its parent in the reader’s language, and the button there lets it go on', async () => {
  const space = await opened('Trouble');
  await write('Please delegate trouble');
  const block = log().getByRole('region', { name: 'engineer' }).last();
  await block.getByText('Waits for a sub-agent: engineer').waitFor();
  await block.getByText('No valid key for the model’s provider.').waitFor();
  await bar().getByText('Blocked').waitFor();
  const { page: french } = await openPage(stage.browser, { locale: 'fr-FR' });
  await signIn(french, stage.world, new URL(stage.urlOf(space)).pathname);
  await french
    .getByRole('log')
    .getByText('Pas de clé valable pour le fournisseur du modèle.')
    .first()
    .waitFor();
  await button('Reprendre', french).first().waitFor();
  expect(await french.getByText(/authentication/).count()).toBe(0);
  expect(await flaws(french)).toEqual([]);
  await french.context().close();
  await button('Resume', block).click();
  await stage.message('It was mended and done.').waitFor();
}, 30_000);

test('a proposal’s card keeps its place from the proposal to the deliverable', async () => {
  await opened('Goal', { mode: 'orchestrate', agents: [stage.agents.ceo] });
  await write(DEMO_GOAL);
  await log().getByText('Waiting for approval').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await button('Request changes…').click();
  const reason = stage.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' });
  await reason.fill('Smaller, please');
  await stage.page.keyboard.press('Escape');
  await button('Request changes…').click();
  expect(await reason.inputValue()).toBe('Smaller, please');
  await stage.page.keyboard.press('Escape');
  await button('Cancel…').click();
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.keyboard.press('Escape');
  await button('Approve').click();
  await log()
    .getByText(/of 9 steps done/)
    .waitFor();
  await log().getByText('Completed').waitFor({ timeout: 30_000 });
  await log().getByText('9 of 9 steps done').waitFor();
  await log().getByText('Deliverable').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
}, 60_000);
