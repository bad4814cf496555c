import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { Json } from '../e2e/world.ts';
import { founded, onWord, runOf, scriptOf, spaceWith, toolCall, until, type World } from '../e2e/world.ts';
import { createWebWorld, flaws, openBrowser, openPage, signIn } from './browser.ts';

setDefaultTimeout(20_000);
const LONG = `\u001b[31mTHE FIRST LINE\u001b[0m\n${'line of a long file\n'.repeat(1_200)}THE LAST LINE`;

let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
let ws: string;
let id: string;
let engineer: string;
/** Wrote a file twice, read it, and ended. */
let done: Json;
/** The model refused it. */
let failed: Json;

beforeAll(async () => {
  const write = (content: string) => toolCall('write_file', { path: 'notes.txt', content });
  world = await createWebWorld(
    scriptOf(
      onWord(
        'write it',
        { thinking: 'First the file.', text: 'I **write** the notes.', tools: [write(LONG)] },
        { tools: [toolCall('read_file', { path: 'notes.txt' })] },
        { tools: [write('short')] },
        { text: 'The notes are written.' },
      ),
      onWord('lead', { tools: [toolCall('run_subagent', { task: 'look here' })] }, { text: 'Both looked.' }),
      onWord('look here', { text: 'Seen.' }),
      onWord(
        'ask first',
        { tools: [toolCall('ask_user', { question: 'Which colour?' })] },
        { text: 'Blue then.' },
      ),
      onWord(
        'slowly',
        {
          text: 'Slow words that come one after the other until they end. '.repeat(5),
          chunkChars: 16,
          chunkDelayMs: 400,
        },
        { text: 'Never said.' },
      ),
      onWord('break', {
        fault: { kind: 'status', status: 400, message: 'The model refuses this.', times: 99 },
      }),
    ),
  );
  const acme = await founded(world, 'Acme');
  ({ ws, id } = acme);
  engineer = acme.agents.engineer as string;
  done = await say('write it');
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, { reducedMotion: 'no-preference' }));
  await signIn(page, world, `/w/${id}/runs/${done.id}`);
}, 40_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

/** Says a word to the agent. @returns its run, at rest */
async function say(body: string): Promise<Json> {
  return runOf(world, ws, await posted(body));
}

/** In a space of its own, so that no other conversation is in the prompt. */
async function posted(body: string): Promise<string> {
  const space = await spaceWith(world, ws, engineer, {
    ...{ name: body, autonomy: 'actFreely', repositories: [{ name: 'app', path: world.stage.repository }] },
  });
  const { message } = await world.ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, {
    body,
  });
  return message.id;
}

/** The run that a message woke, as soon as it has begun. */
async function begun(messageId: string): Promise<Json> {
  const look = async () => {
    const { items } = await world.ok('GET', `${ws}/runs?limit=500`);
    return items.find(({ trigger, status }: Json) => trigger.id === messageId && status === 'running') as
      | Json
      | undefined;
  };
  return (await until(look, (run) => run !== undefined)) as Json;
}

const goTo = (path: string) => page.goto(`${world.server.url}/w/${id}${path}`);

test('a run says step by step what it did, and what it cost', async () => {
  expect(done.status).toBe('completed');
  await page.getByRole('heading', { level: 1, name: 'Run of engineer' }).waitFor();
  await page.getByRole('heading', { name: 'Answer 4' }).waitFor();
  await page.locator('strong', { hasText: 'write' }).waitFor();
  const facts = page.getByRole('region', { name: 'Facts' });
  expect(await facts.getByText(/^\$\d/).count()).toBe(1);
  expect(await facts.getByText(done.tokens.output.toLocaleString('en-US'), { exact: true }).count()).toBe(1);
  expect(await flaws(page)).toEqual([]);
});

test('a call opens to its input and its output, cut at first and then whole', async () => {
  const read = page.getByRole('button', { name: /^Read/ });
  await read.click();
  const output = page.getByRole('region', { name: 'Output' });
  await output.waitFor();
  expect(await output.textContent()).not.toContain('THE LAST LINE');
  expect(await flaws(page)).toEqual([]);
  const entries = await world.ok('GET', `${ws}/runs/${done.id}/entries`);
  const kept = entries.items
    .map(({ entry }: Json) => entry)
    .find(({ name, kind }: Json) => name === 'read_file' && kind === 'toolFinished');
  await page.getByRole('button', { name: /^Show all/ }).click();
  // Orders to a terminal are not for people to read.
  const shown = kept.content.replace('\u001b[31m', '').replace('\u001b[0m', '');
  expect(shown.length).toBe(kept.content.length - 9);
  await until(
    () => output.textContent(),
    (text) => text === shown,
  );
});

test('answers are found by their words, and how many are hidden is said', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('notes WRITTEN');
  await page.getByText('1 of 4 answers shown, 3 hidden.').waitFor();
  await page.getByRole('heading', { name: 'Answer 4' }).waitFor();
  expect(await page.getByRole('heading', { name: /^Answer/ }).count()).toBe(1);
  await page.getByText('Found in its words').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('notes WRITTEN');
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('searchbox').fill('nowhere');
  await page.getByRole('heading', { name: 'No answer has these words' }).waitFor();
  await page.getByText('searched only as far as they are shown').waitFor();
  await page.getByRole('button', { name: 'Show all answers' }).click();
  await page.getByRole('heading', { name: 'Answer 1' }).waitFor();
});

test('a run is saved whole, with outputs to their last line', async () => {
  await page.getByRole('button', { name: 'More for this run' }).click();
  await page.getByRole('menuitem', { name: 'Copy run as Markdown' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as Markdown' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(`engineer-${done.id}.md`);
  const text = await Bun.file(await saved.path()).text();
  expect(text).toStartWith('# Run of engineer\n\n- Done\n');
  expect(text.match(/THE FIRST LINE/g)?.length).toBe(2);
  expect(text.match(/THE LAST LINE/g)?.length).toBe(2);
  expect(text).toContain('The notes are written.');
});

test('a look that fails later takes nothing off the screen', async () => {
  const json = { code: 'conflict', detail: 'The tree is being cut.', retryable: false };
  await page.route('**/tree', (route) => route.fulfill({ status: 409, json }));
  await page.route('**/checkpoints', (route) => route.fulfill({ status: 409, json }));
  await page.getByRole('tab', { name: 'Checkpoints' }).click();
  await page.getByRole('alert').getByText('The tree is being cut.').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/checkpoints');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row').nth(1).waitFor();
  await page.unroute('**/tree');
  await page.getByRole('tab', { name: 'Steps' }).click();
});

test('the tabs are walked by the arrows and stand in the address; a bar leads to its step', async () => {
  await page.getByRole('tab', { name: 'Steps' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('list', { name: 'What happened when' }).waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('timeline');
  const bars = page.getByRole('list', { name: 'What happened when' }).getByRole('listitem');
  expect(await bars.count()).toBe(7);
  expect(await flaws(page)).toEqual([]);
  await bars.getByRole('link', { name: 'Answer 3' }).click();
  await page.waitForFunction(() => document.activeElement?.querySelector('h2')?.textContent === 'Answer 3');
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement?.querySelector('h2')?.textContent === 'Answer 4');
});

test('the prompt is shown as it was sent', async () => {
  await goTo(`/runs/${done.id}?tab=prompt`);
  await page.getByText('# Mode: Agent').waitFor();
  await page.getByRole('heading', { name: 'What the conversation opens with' }).waitFor();
  expect(await flaws(page)).toEqual([]);
});

test('files are brought back to how they were before a call', async () => {
  await goTo(`/runs/${done.id}?tab=checkpoints`);
  const before = page.getByRole('row').filter({ hasText: 'After answer 2' });
  await before.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Bring these files back?' });
  expect(await flaws(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Brought back: 1 file changed.').waitFor();
  await page.getByText('Before something was undone').first().waitFor();
});

test('sub-agents are in the tree, with what all cost together', async () => {
  const led = await say('lead');
  await goTo(`/runs/${led.id}`);
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByText('Total').waitFor();
  const family = page.getByRole('navigation', { name: 'Runs of this tree' });
  expect(await family.getByRole('link').count()).toBe(2);
  expect(await flaws(page)).toEqual([]);
  await family.getByRole('link').nth(1).click();
  await page.getByText('Seen.').waitFor();
  expect(new URL(page.url()).pathname).toEndWith(led.children[0]);
});

test('a run that waits says for what and leads there', async () => {
  const waiting = await say('ask first');
  await goTo(`/runs/${waiting.id}`);
  await page.getByText('Waits for a decision.').waitFor();
  await page.getByRole('button', { name: /^Ask/ }).getByText('Waiting for you').waitFor();
  expect(await page.getByRole('link', { name: 'Decide' }).getAttribute('href')).toEndWith(waiting.waitingFor);
  expect(await flaws(page)).toEqual([]);
  await world.ok('POST', `${ws}/runs/${waiting.id}/takeover`);
  await page.getByText('In your hands').waitFor();
  await page.getByRole('button', { name: 'Hand back' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await world.ok('POST', `${ws}/runs/${waiting.id}/handback`, {});
  await page.getByText('Waits for a decision.').waitFor();
  await world.ok('POST', `${ws}/approvals/${waiting.waitingFor}/decision`, {
    decision: 'approved',
    answer: 'Blue',
  });
  await page.getByText('Blue then.').waitFor();
  await page.getByText('Done', { exact: true }).first().waitFor();
});

test('words show as they come, once, and the run is stopped with its button', async () => {
  const run = await begun(await posted('slowly'));
  await goTo(`/runs/${run.id}`);
  await page.getByText(/Slow words that/).waitFor();
  expect(await page.getByText(/Slow words/).count()).toBe(1);
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Cancelled').first().waitFor();
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
});

test('a run that failed says why', async () => {
  failed = await say('break');
  await goTo(`/runs/${failed.id}`);
  await page.getByText(failed.summary).first().waitFor();
  expect(await flaws(page)).toEqual([]);
  await goTo('/runs/run_none');
  await page.getByRole('alert').getByText('There is no run').waitFor();
});

test('who may only look is told so, in their language', async () => {
  const vera = await world.ok('POST', '/api/members', { name: 'Vera', role: 'viewer' });
  const other = await openPage(browser, { locale: 'fr-FR' });
  const guest = other.page;
  await signIn(guest, world, `/w/${id}/runs/${failed.id}`, vera.id);
  // In their own words what went wrong, in the server's what exactly.
  await guest.getByText('La demande n’a pas été acceptée.').waitFor();
  await guest.locator('[lang=en]', { hasText: failed.summary }).waitFor();
  expect(await flaws(guest)).toEqual([]);
  await guest.getByRole('button', { name: 'Plus pour cette exécution' }).click();
  const undo = guest.getByRole('menuitem', { name: /Annuler du travail/ });
  await undo.getByText('mais rien modifier').waitFor();
  await undo.click();
  expect(await guest.getByRole('dialog').count()).toBe(0);
  await guest.goto(`${world.server.url}/w/${id}/runs/${done.id}?tab=checkpoints`);
  const back = guest.getByRole('button', { name: /^Rétablir/ }).first();
  expect(await back.getAttribute('title')).toContain('mais rien modifier');
  expect([...complaints, ...other.complaints].filter((one) => !/status of 40[49]/.test(one))).toEqual([]);
});
