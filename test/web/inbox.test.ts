import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page, Route } from 'playwright-core';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import { type Json, onWord, post, scriptOf, spaceWith, toolCall, until, type World } from '../e2e/world.ts';
import { flaws, openPage, signIn } from './browser.ts';
import { roomStage } from './room-stage.ts';

const question = { question: 'Which **colour**?', choices: ['Blue', 'Green', 'Red'] };
const SCRIPT = scriptOf(
  onWord('ask-me', { tools: [toolCall('ask_user', question)] }, { text: 'Thanks, I use it.' }),
  onWord('ask-when', { tools: [toolCall('ask_user', { question: 'When?' })] }, { text: 'Noted.' }),
  onWord(
    'push-it',
    { tools: [toolCall('run_command', { command: 'git push origin main' })] },
    { text: 'I went on after your word.' },
  ),
  onWord(
    'propose',
    { tools: [toolCall('propose_orchestration', DEMO_PROPOSAL)] },
    { text: 'It waits for you.' },
  ),
  onWord(
    'begin',
    { tools: [toolCall('exit_plan_mode', { summary: 'I would **fix** it.' })] },
    { text: 'Waiting.' },
  ),
  onWord('break', {
    fault: { kind: 'status', status: 401, message: 'The key is not valid.', times: Number.POSITIVE_INFINITY },
  }),
);

const CALL = {
  tool: 'run_command',
  input: { command: 'ls' },
  reason: 'By a rule.',
  classes: ['push'],
  asked: ['push'],
};
const ASKED = {
  ...{
    status: 'pending',
    requester: 'service:runs',
    subject: 'Asked',
    digest: 'd',
    grant: null,
    decision: null,
  },
  ...{ decidedBy: null, decidedAt: null, runId: null, rootRunId: null, spaceId: null, conversationId: null },
  ...{ agentName: 'qa', spaceName: null },
};
const STOPPED = {
  ...{ liveness: 'blocked', budgetScope: null, conversationId: null, spaceId: null, resumeAt: null },
  ...{ takenOverBy: null, startedAt: null, createdAt: 1 },
};

const stage = roomStage(SCRIPT);
const { button } = stage;
let world: World;
let browser: Browser;
let page: Page;
let complaints: string[];
let ws: string;
let workspaceId: string;
let agents: Record<string, string>;
beforeAll(() => {
  ({ world, browser, page, complaints, ws, workspaceId, agents } = stage);
});

/** Has an agent ask something in a room of its own. @returns the approval that waits */
async function asked(words: string, agent = 'engineer', more: Json = {}): Promise<Json> {
  const repositories = [{ name: 'invoices', path: world.stage.repository }];
  const room = { name: words, whenNobody: 'wait', repositories, ...more };
  const space = await spaceWith(world, ws, agents[agent] as string, room);
  await post(world, ws, space, `Please ${words}`);
  const { items } = await until(
    () => world.ok('GET', `${ws}/inbox`),
    (inbox) => inbox.items.some(({ spaceId }: Json) => spaceId === space.id),
  );
  return items.find(({ spaceId }: Json) => spaceId === space.id);
}

const address = (rest = '') => `${world.server.url}/w/${workspaceId}/inbox${rest}`;
const isCall = (route: Route) => route.request().url().includes('/api/');
const rowOf = (at: Page, { id }: Json) => at.locator(`[data-item="${id}"]`);
const titled = (at: Page, name: string | RegExp) => at.getByRole('heading', { level: 2, name }).waitFor();
const approvalNow = ({ id }: Json) => world.ok('GET', `${ws}/approvals/${id}`);
const runOf = ({ runId }: Json) => world.ok('GET', `${ws}/runs/${runId}`);
const until200 = (approval: Json, status: string) =>
  until(
    () => approvalNow(approval),
    (now) => now.status === status,
  );

test('nothing waits, and the screen says so', async () => {
  await page.goto(address());
  await page.getByText('Nothing waits for you').waitFor();
  expect(await flaws(page)).toEqual([]);
}, 20_000);

test('a permission is given while the agent waits: the row says the outcome, the run goes on', async () => {
  const approval = await asked('push-it');
  await titled(page, 'engineer wants to push to a remote');
  await page.getByText('git push origin main').last().waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('radio', { name: /Always, by a rule/ }).check();
  await page.getByRole('combobox', { name: 'Where the rule holds' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('radio', { name: /^Once/ }).check();
  await button('Allow').click();
  await rowOf(page, approval).getByText('Approved').waitFor();
  expect(await approvalNow(approval)).toMatchObject({ status: 'approved', grant: 'once' });
  await until(
    () => runOf(approval),
    ({ status }) => status === 'completed',
  );
}, 25_000);

test('by keyboard alone: walk, answer, refuse with a reason, ask for changes', async () => {
  const first = await asked('ask-me', 'ceo');
  const second = await asked('push-it', 'engineer');
  const third = await asked('begin', 'librarian', { mode: 'plan' });
  await page.goto(address(`/${first.id}`));
  await titled(page, 'ceo asks');
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('j');
  await titled(page, /^engineer wants/);
  await page.waitForFunction((id) => document.activeElement?.matches(`[data-item="${id}"]`), second.id);
  await page.keyboard.press('k');
  await page.keyboard.press('2');
  expect(await page.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await until200(first, 'approved');
  expect((await approvalNow(first)).decision).toEqual({ answer: 'Green' });
  await titled(page, /^engineer wants/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
  await page.keyboard.press('r');
  await page.keyboard.type('Not on a Friday');
  expect(await flaws(page)).toEqual([]);
  // What is written stays when one thinks again, and when one looks elsewhere.
  await page.getByRole('textbox', { name: 'Reason' }).press('Escape');
  await page.getByText('What you wrote as a reason is kept.').waitFor();
  await page.goto(address(`/${third.id}`));
  await titled(page, 'librarian wants to begin the work');
  expect(await flaws(page)).toEqual([]);
  await page.goto(address(`/${second.id}`));
  await titled(page, /^engineer wants/);
  await page.keyboard.press('r');
  expect(await page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Not on a Friday');
  await page.keyboard.press('Control+Enter');
  await until200(second, 'refused');
  expect((await approvalNow(second)).decision).toEqual({ reason: 'Not on a Friday' });
  await titled(page, 'librarian wants to begin the work');
  await page.keyboard.press('r');
  await page.keyboard.press('Control+Enter');
  expect((await approvalNow(third)).status).toBe('pending');
  await page.keyboard.type('Write a test first');
  await page.keyboard.press('Control+Enter');
  await until200(third, 'refused');
  expect((await approvalNow(third)).decision).toMatchObject({ changesRequested: true });
}, 30_000);

test('two people on one item see each other; the first decides, the other is told and keeps the words', async () => {
  const approval = await asked('ask-when', 'qa');
  const mara = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
  const { page: hers } = await openPage(browser);
  hers.setDefaultTimeout(8_000);
  // Her tab hears of nothing from the moment on at which `isDeaf` is set, as if the event were still on its way.
  let isDeaf = false;
  await hers.routeWebSocket('**/api/live', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isDeaf) socket.send(message);
    });
  });
  await signIn(hers, world, `/w/${workspaceId}/inbox/${approval.id}`, mara.id);
  await titled(hers, 'qa asks');
  await page.goto(address(`/${approval.id}`));
  await page.getByText('Mara is looking at this').last().waitFor();
  await hers.getByText('Owner is looking at this').last().waitFor();
  expect(await flaws(page)).toEqual([]);
  await hers.getByRole('textbox', { name: 'Your answer' }).fill('On Tuesday');
  isDeaf = true;
  await page.getByRole('textbox', { name: 'Your answer' }).fill('On Monday');
  await button('Answer').click();
  await until200(approval, 'approved');
  await button('Answer', hers).click();
  await hers.getByRole('alert').filter({ hasText: 'Owner was first' }).waitFor();
  await hers.getByText('Answered by Owner').first().waitFor();
  await hers.getByText('On Monday').waitFor();
  await hers.getByText('On Tuesday').waitFor();
  expect(await flaws(hers)).toEqual([]);
  expect((await approvalNow(approval)).decision).toEqual({ answer: 'On Monday' });
  await hers.context().close();
}, 30_000);

test('what another decides elsewhere shows at once, with who it was, and leaves', async () => {
  const approval = await asked('push-it', 'qa');
  await page.goto(address(`/${approval.id}`));
  await titled(page, /^qa wants/);
  await page.clock.install();
  await world.ok('POST', `${ws}/approvals/${approval.id}/decision`, { decision: 'refused', reason: 'No.' });
  await page.getByText('Refused by Owner').first().waitFor();
  await page.getByText('No.', { exact: true }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.clock.fastForward(7_000);
  await rowOf(page, approval).waitFor({ state: 'detached' });
  // The place where one looks stays as it is.
  await titled(page, /^qa wants/);
}, 20_000);

test('a decision or a later look that does not get through says why, and can be made again', async () => {
  const approval = await asked('push-it', 'qa');
  await page.goto(address(`/${approval.id}`));
  await titled(page, /^qa wants/);
  await page.route('**/decision', (route) => route.abort());
  await page.keyboard.press('a');
  await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/decision');
  const refused = {
    status: 400,
    contentType: 'application/problem+json',
    body: '{"code":"x","detail":"No."}',
  };
  await page.route('**/inbox**', (route) => (isCall(route) ? route.fulfill(refused) : route.continue()));
  const later = await asked('ask-when', 'ceo');
  // What was found before stays on the screen.
  await page.getByRole('alert').filter({ hasText: 'This may be out of date.' }).waitFor();
  await rowOf(page, approval).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/inbox**');
  // Each new look at the list tries by itself, too.
  await Promise.any([button('Try again').click(), rowOf(page, later).waitFor()]);
  await rowOf(page, later).waitFor();
  await button('Allow').click();
  await until200(approval, 'approved');
  await world.ok('POST', `${ws}/approvals/${later.id}/decision`, { decision: 'approved', answer: 'Now' });
}, 20_000);

test('a decision that comes through late leaves one who has gone elsewhere there', async () => {
  const approval = await asked('push-it', 'qa');
  await page.goto(address(`/${approval.id}`));
  await titled(page, /^qa wants/);
  const gate = Promise.withResolvers<void>();
  await page.route('**/decision', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.keyboard.press('a');
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  const looked = page.waitForResponse((answer) => answer.url().endsWith(`/approvals/${approval.id}`));
  gate.resolve();
  await looked;
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  expect(new URL(page.url()).pathname).toEndWith('/agents');
  await page.unroute('**/decision');
}, 20_000);

test('what is seldom asked, and runs that go on by themselves or are in somebody’s hands', async () => {
  const orchestrationId = 'orc_gone';
  const odd = [
    { id: 'apr_1', kind: 'question', arguments: { about: 'budget', capMicros: 2_000_000, orchestrationId } },
    { id: 'apr_2', kind: 'skill_override', arguments: { skill: 'deploy' } },
    { id: 'apr_3', kind: 'action', status: 'unattended', arguments: CALL },
  ].map((one, i) => ({ ...ASKED, createdAt: i, ...one }));
  const stopped = [
    {
      id: 'run_1',
      agentId: agents.qa,
      agentName: 'qa',
      errorFamily: 'overloaded',
      resumeAt: Date.now() + 6e5,
    },
    {
      id: 'run_2',
      agentId: agents.ceo,
      agentName: 'ceo',
      errorFamily: 'later-than-us',
      takenOverBy: 'agent:x',
    },
  ].map((one) => ({ ...STOPPED, ...one }));
  const answers: [string, Json[]][] = [
    ['**/inbox', odd],
    ['**/runs?status=paused**', stopped],
  ];
  for (const [path, items] of answers)
    await page.route(path, async (route) => {
      if (!isCall(route)) return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), items, count: items.length } });
    });
  await page.goto(address('/apr_1'));
  await titled(page, 'The budget is used up and the work is paused');
  await page.getByText('goes on in 10 min').waitFor();
  const held = page.getByRole('listitem').filter({ hasText: 'ceo is stuck: It went wrong' });
  await held.getByText('has taken it over').waitFor();
  expect(await held.getByRole('button').count()).toBe(0);
  const sum = page.getByRole('textbox', { name: 'New budget in dollars' });
  await sum.fill('1');
  await page.getByRole('alert').filter({ hasText: 'It has to be more than $2.00' }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await sum.fill('7.50');
  await page.reload();
  expect(await sum.inputValue()).toBe('7.50');
  await rowOf(page, { id: 'apr_2' }).click();
  await titled(page, 'Asks for an exception');
  expect(await flaws(page)).toEqual([]);
  await rowOf(page, { id: 'apr_3' }).click();
  await page.getByText('It was refused because nobody was here').waitFor();
  expect(await flaws(page)).toEqual([]);
  await rowOf(page, { id: 'run_1' }).click();
  await page.getByText(/^This (could not be loaded|is not here)/).waitFor();
  expect(await flaws(page)).toEqual([]);
  for (const [path] of answers) await page.unroute(path);
}, 20_000);

test('what is put off leaves the list with its count, and comes back by itself', async () => {
  const approval = await asked('ask-when', 'qa');
  await page.goto(address(`/${approval.id}`));
  await titled(page, 'qa asks');
  // It has been on the screen since yesterday: the hour is one from now.
  await page.clock.fastForward('26:00:00');
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: /For an hour/ }).waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await rowOf(page, approval).waitFor({ state: 'detached' });
  expect((await approvalNow(approval)).status).toBe('pending');
  await page.reload();
  await page.getByRole('link', { name: '1 snoozed' }).click();
  await rowOf(page, approval).click();
  await page.getByText('Off your list until').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('link', { name: /^All/ }).click();
  await rowOf(page, approval).waitFor({ state: 'detached' });
  await page.clock.fastForward('01:00:01');
  await rowOf(page, approval).waitFor();
  await world.ok('POST', `${ws}/approvals/${approval.id}/decision`, { decision: 'approved', answer: 'Now' });
}, 20_000);

test('a proposal is approved with its facts in sight, and the work begins', async () => {
  const approval = await asked('propose', 'architect', { mode: 'orchestrate' });
  await page.goto(address());
  await page.getByRole('link', { name: /^Plans/ }).click();
  await rowOf(page, approval).click();
  await titled(page, /^Fix the invoice total/);
  await page.getByText('3 sub-tickets, 4 roles').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('o');
  await page.waitForURL(/\/plans\/orchestration\//);
  await page.goBack();
  await titled(page, /^Fix the invoice total/);
  await button('Approve').click();
  await until200(approval, 'approved');
  const { orchestrationId } = approval.arguments;
  await until(
    () => world.ok('GET', `${ws}/orchestrations/${orchestrationId}`),
    ({ approvedRevision }) => approvedRevision === 1,
  );
  await world.ok('POST', `${ws}/orchestrations/${orchestrationId}/cancel`);
}, 25_000);

test('a run that is stuck says why and where, goes on from its row, is put aside and taken back', async () => {
  const space = await spaceWith(world, ws, agents.ceo as string, { name: 'Broken' });
  await post(world, ws, space, 'Please break');
  await page.goto(address('?show=failures'));
  await titled(page, 'ceo is stuck');
  await page.getByText('No valid key for the model’s provider.').waitFor();
  await page.getByText('The key is not valid.').waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'ceo is stuck: No valid key' });
  await row.getByText('Broken').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.keyboard.press('e');
  await page.getByRole('heading', { level: 2, name: 'ceo is stuck' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '1 put aside' }).waitFor();
  await button('Undo').click();
  await titled(page, 'ceo is stuck');
  const resumed = page.waitForResponse(/\/resume$/);
  await row.getByRole('button', { name: 'Resume ceo’s run' }).click();
  expect((await resumed).status()).toBe(200);
}, 25_000);

test('on a narrow window the list and the item each have all of it', async () => {
  const approval = await asked('ask-me', 'qa');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(address());
  await rowOf(page, approval).waitFor();
  expect(await flaws(page)).toEqual([]);
  await rowOf(page, approval).click();
  await titled(page, 'qa asks');
  expect(await flaws(page)).toEqual([]);
  await button(/Back to the list/).click();
  await rowOf(page, approval).waitFor();
  expect(complaints.filter((text) => !/40[0149]|ERR_FAILED/.test(text))).toEqual([]);
}, 20_000);
