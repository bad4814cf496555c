import { expect, test } from 'bun:test';
import { type Json, onWord, post, scriptOf, toolCall, until } from '../e2e/world.ts';
import { flaws, openPage, signIn } from './browser.ts';
import { roomStage } from './room-stage.ts';

const SCRIPT = scriptOf(
  onWord(
    'look at it',
    {
      ...{ thinking: 'They want the files.', text: 'I look first.' },
      tools: [toolCall('list_files', {}), toolCall('read_file', { path: 'missing.ts' })],
    },
    { text: '## Found\n\nIt is **all** there, in `invoice.ts`.' },
  ),
  onWord(
    'push it',
    {
      text: 'I have to push.',
      tools: [toolCall('run_command', { command: 'npm install && git push origin main' })],
    },
    { text: 'It was not pushed after all.' },
  ),
  onWord(
    'ask me',
    { tools: [toolCall('ask_user', { question: 'Which one?', choices: ['The left', 'The right'] })] },
    { text: 'Thank you for the answer.' },
  ),
);

const stage = roomStage(SCRIPT);
const { room, urlOf, opened, write, log, message, messagesOf, button } = stage;

test('a message is there at once; the agent’s thinking, calls and answer follow, each once', async () => {
  await opened('Looking');
  await stage.page.getByText('Nothing has been said here yet').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await write('Please look at it');
  await message('Please look at it').waitFor();
  await message('It is all there').waitFor();
  await button(/^Worked for/).waitFor();
  expect(await log().getByText('It is all there').count()).toBe(1);
  expect(await log().getByText('Please look at it').count()).toBe(1);
  await button(/^Worked for/).click();
  await log().getByText('I look first.').waitFor();
  const failed = button(/Read.*missing\.ts.*Failed/);
  await failed.click();
  await stage.page.getByRole('region', { name: 'Output' }).getByText('missing.ts').first().waitFor();
  await button('Thought').click();
  await log().getByText('They want the files.').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
}, 30_000);

test('an action is allowed on its card, which then says who did; the run goes on', async () => {
  await opened('Pushing');
  await write('Please push it');
  await log().getByText('git push origin main').waitFor();
  const effects = await log().getByRole('listitem').allTextContents();
  expect(effects.slice(0, 2)).toEqual(['push to a remote needs your approval', 'install packages']);
  expect(await flaws(stage.page)).toEqual([]);
  await button('Other ways to allow').click();
  await stage.page.getByRole('menuitem', { name: /Always allow/ }).click();
  await stage.page.getByRole('dialog').getByText('push to a remote').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.keyboard.press('Escape');
  await button('Allow once').click();
  await log().getByText('Allowed once by Owner').waitFor();
  await message('It was not pushed').waitFor();
}, 30_000);

test('a question is answered by keys alone', async () => {
  await opened('Asking');
  await write('Please ask me');
  await stage.page.getByRole('radio', { name: /The right/ }).waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.getByRole('heading', { level: 1 }).click();
  await stage.page.keyboard.press('2');
  expect(await stage.page.getByRole('radio', { name: /The right/ }).isChecked()).toBe(true);
  await button('Answer').focus();
  await stage.page.keyboard.press('Enter');
  await log().getByText('Answered by Owner').waitFor();
  expect(await focusedName()).toMatch(/^engineer|^ceo/);
  await message('Thank you for the answer').waitFor();
}, 30_000);

test('a reason outlasts Escape and a reload, and goes to the agent with the refusal', async () => {
  const space = await opened('Refusing');
  await write('Please push it');
  await button('Refuse…').click();
  const reason = stage.page.getByRole('textbox', { name: 'Reason' });
  await reason.fill('Not on a Friday.');
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.keyboard.press('Escape');
  await stage.page.reload();
  await button('Refuse…').click();
  expect(await reason.inputValue()).toBe('Not on a Friday.');
  await button('Refuse', stage.page.getByRole('dialog')).click();
  await log().getByText('Refused by Owner').waitFor();
  await log().getByText('Not on a Friday.').waitFor();
  const { items } = await stage.world.ok('GET', `${stage.ws}/approvals?limit=100`);
  const mine = items.find((one: Json) => one.spaceId === space.id);
  expect(mine).toMatchObject({ status: 'refused', decision: { reason: 'Not on a Friday.' } });
  expect(await stage.page.evaluate(() => Object.keys(localStorage).join())).not.toContain('draft.reason');
}, 30_000);

test('a thread grows from a message with its first reply, and its count is kept', async () => {
  const space = await opened('Threads', { agents: [] });
  await post(stage.world, stage.ws, space, 'The beginning');
  await message('The beginning').hover();
  await button('Reply in a thread').click();
  const thread = stage.page.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('textbox', { name: 'First reply' }).fill('The first reply');
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.keyboard.press('Enter');
  await thread.getByRole('article').filter({ hasText: 'The first reply' }).waitFor();
  await button(/^1 reply/).waitFor();
  expect(await focusedName()).toBe('Message');
  expect(await flaws(stage.page)).toEqual([]);
  await button('Close the thread').click();
  await until(focusedName, (name) => name !== 'nothing', 4_000);
  const { items } = await stage.world.ok('GET', `${stage.ws}/spaces/${space.id}/conversations`);
  const id = items.find((one: Json) => one.kind === 'thread').id;
  await stage.world.ok('POST', `${stage.ws}/conversations/${id}/messages`, { body: 'A second one' });
  await button(/^2 replies/).click();
  await thread.getByText('A second one').waitFor();
}, 30_000);

const focusedName = () =>
  stage.page.evaluate(() => {
    const { activeElement: focused, body } = document;
    return focused === body ? 'nothing' : (focused?.getAttribute('aria-label') ?? focused?.id);
  });

test('by keys alone: from message to message, a message of one’s own is changed in its place', async () => {
  const space = await opened('Keys', { agents: [] });
  for (const text of ['one', 'two', 'three']) await post(stage.world, stage.ws, space, `Message ${text}`);
  await message('Message three').focus();
  await stage.page.keyboard.press('ArrowUp');
  await stage.page.keyboard.press('ArrowUp');
  const focused = () =>
    stage.page.evaluate(() => document.activeElement?.closest('article')?.textContent ?? 'nothing');
  await until(focused, (text) => text.includes('Message one'), 4_000);
  await stage.page.keyboard.press('End');
  await until(focused, (text) => text.includes('Message three'), 4_000);
  await stage.page.keyboard.press('Tab');
  // A pane that closes gives the focus back, also to what is there only while its row has it.
  await stage.page.keyboard.press('Enter');
  await stage.page.getByRole('textbox', { name: 'First reply' }).waitFor();
  await button('Close the thread').focus();
  await stage.page.keyboard.press('Enter');
  await until(focusedName, (name) => name === 'Reply in a thread', 4_000);
  await stage.page.keyboard.press('Tab');
  await stage.page.keyboard.press('Enter');
  await stage.page.getByRole('textbox', { name: 'Your message' }).fill('Message third');
  expect(await flaws(stage.page)).toEqual([]);
  // What was being written outlasts the page, and takes the focus from nothing when it is back.
  await stage.page.reload();
  const changed = stage.page.getByRole('textbox', { name: 'Your message' });
  expect(await changed.inputValue()).toBe('Message third');
  expect(await changed.evaluate((field) => field === document.activeElement)).toBe(false);
  const [, , third] = await messagesOf(space);
  await stage.world.ok('PATCH', `${stage.ws}/messages/${third?.id}`, { body: 'Else', version: 1 });
  await changed.press('Enter');
  await stage.page.getByRole('alert').filter({ hasText: 'It was changed elsewhere meanwhile' }).waitFor();
  await changed.press('Enter');
  await message('Message third').waitFor();
  const { items } = await stage.world.ok(
    'GET',
    `${stage.ws}/conversations/${space.mainConversationId}/messages`,
  );
  expect(items.map(({ body }: Json) => body)).toEqual(['Message one', 'Message two', 'Message third']);
}, 30_000);

test('who may only look is told why not to decide; who left keeps their name on what they said', async () => {
  const { id } = await stage.world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
  const space = await opened('Leaving');
  const { page: hers } = await openPage(stage.browser);
  await signIn(hers, stage.world, new URL(urlOf(space)).pathname, id);
  await write('Please push it', hers);
  await button('Refuse…', hers).click();
  await hers.getByRole('textbox', { name: 'Reason' }).fill('Not before noon.');
  await hers.keyboard.press('Escape');
  const { version } = (await stage.world.ok('GET', '/api/members')).items.find((one: Json) => one.id === id);
  await stage.world.ok('PATCH', `/api/members/${id}`, { role: 'viewer', version });
  await hers.reload();
  const allow = button(/^Allow once \(/, hers);
  await allow.waitFor();
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
  expect(await flaws(hers)).toEqual([]);
  // Somebody else decides: what she had written is not lost.
  const { items } = await stage.world.ok('GET', `${stage.ws}/approvals?limit=100`);
  const asked = items.find((one: Json) => one.spaceId === space.id);
  await stage.world.ok('POST', `${stage.ws}/approvals/${asked.id}/decision`, { decision: 'refused' });
  await hers.getByText('Not before noon.').waitFor();
  await stage.world.ok('DELETE', `/api/members/${id}`);
  await stage.page.reload();
  await stage.page.getByRole('article', { name: /^Mara \(former member\)/ }).waitFor();
  await hers.context().close();
}, 30_000);

test('a look that failed is told beside what is there, and made again', async () => {
  const space = await room('Failing', { agents: [] });
  await post(stage.world, stage.ws, space, 'Still here');
  const broken = /\/(runs\/trees|conversations)\?/;
  await stage.page.route(broken, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', detail: 'It broke.', retryable: false } }),
  );
  await stage.page.goto(urlOf(space));
  await message('Still here').waitFor();
  await stage.page.getByText('A part of this could not be loaded.').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await stage.page.unroute(broken);
  await button('Try again').click();
  await stage.page.getByText('A part of this could not be loaded.').waitFor({ state: 'detached' });
}, 30_000);

test('in a window of 1280 pixels at 400 % all of a conversation can be reached', async () => {
  const space = await opened('Narrow');
  await stage.page.setViewportSize({ width: 320, height: 256 });
  await write('Please push it');
  await button('Allow once').waitFor();
  for (const part of [button('Refuse…'), stage.field(), button('Allow once')]) {
    await part.scrollIntoViewIfNeeded();
    const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
    expect(y + height).toBeGreaterThan(100);
    expect(y).toBeLessThan(256);
  }
  await stage.page.goto(urlOf(space, '?runs=1'));
  await stage.page.getByRole('tree').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  // Nothing but that nobody was signed in at first, and what was refused or broken on purpose.
  expect(stage.complaints.filter((text) => !/401|409|500/.test(text))).toEqual([]);
}, 30_000);
