import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../services/spaces/attachments/limits.ts';
import { MOST_BYTES, MOST_FILES } from '../../web/composer/attachment-limits.ts';
import { type Json, onWord, scriptOf, until, type World } from '../e2e/world.ts';
import { flaws, openPage, signIn } from './browser.ts';
import { roomStage } from './room-stage.ts';

const SCRIPT = scriptOf(
  onWord('hello', { text: 'Good day.' }),
  onWord('slowly', { text: 'Word after word. '.repeat(200), chunkDelayMs: 50, chunkChars: 8 }),
);

const stage = roomStage(SCRIPT, {
  async prepare({ world: here, ws: path, agents: team }) {
    const ceo = await here.ok('GET', `${path}/agents/${team.ceo}`);
    const skills = { version: ceo.version, skills: ['tidy', 'deep-research'] };
    await here.ok('PATCH', `${path}/agents/${team.ceo}`, skills);
  },
});
const { button, field, messagesOf } = stage;
let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let workspaceId: string;
let agents: Record<string, string>;
beforeAll(() => {
  ({ world, browser, page, ws, workspaceId, agents } = stage);
});

const pathOf = (space: Json) => `${world.server.url}/w/${workspaceId}/spaces/${space.id}`;
async function opened(name: string, more: Json = {}): Promise<Json> {
  const space = await world.ok('POST', `${ws}/spaces`, { name, agents: [agents.ceo, agents.qa], ...more });
  await page.goto(pathOf(space));
  await field().waitFor();
  return space;
}
const spaceNow = (space: Json) => world.ok('GET', `${ws}/spaces/${space.id}`);
const said = (space: Json, n = 1) =>
  until(
    () => messagesOf(space),
    (list) => list.length >= n,
  );
const hasFocus = () => field().evaluate((element) => element === document.activeElement);

test('a draft survives a reload and another tab, and is gone once it is sent', async () => {
  const space = await opened('Drafts');
  await field().fill('Half a thought');
  await page.reload();
  await field().waitFor();
  expect(await field().inputValue()).toBe('Half a thought');
  const second = await page.context().newPage();
  await second.goto(pathOf(space));
  await field(second).waitFor();
  expect(await field(second).inputValue()).toBe('Half a thought');
  await second.close();
  await opened('Elsewhere');
  expect(await field().inputValue()).toBe('');
  await page.goto(pathOf(space));
  await field().press('End');
  await field().press('Shift+Enter');
  await field().pressSequentially('in two lines');
  await field().press('Enter');
  const [message] = await said(space);
  expect(message?.body).toBe('Half a thought\nin two lines');
  expect(await field().inputValue()).toBe('');
  await page.reload();
  await field().waitFor();
  expect(await field().inputValue()).toBe('');
}, 25_000);

test('agents and skills are completed by keyboard, and the browser’s undo takes it back', async () => {
  await opened('Completing');
  await field().pressSequentially('Ask @EN');
  const list = page.getByRole('listbox', { name: 'Agents' });
  await list.getByRole('option', { name: /engineer.*not in this space/ }).waitFor();
  expect(await flaws(page)).toEqual([]);
  expect(await field().getAttribute('aria-activedescendant')).toBe(
    await list.getByRole('option', { selected: true }).getAttribute('id'),
  );
  await page.keyboard.press('Enter');
  expect(await field().inputValue()).toBe('Ask @engineer ');
  await page.keyboard.press('Control+z');
  expect(await field().inputValue()).toBe('Ask @EN');
  await page.keyboard.press('Escape');
  expect(await list.count()).toBe(0);
  await field().fill('');
  await field().pressSequentially('/sk');
  await page.getByRole('listbox', { name: 'Skills' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await field().inputValue()).toBe('/skill:tidy ');
  expect(await hasFocus()).toBe(true);
  await page.getByText('Nobody is asked yet').waitFor();
  await field().pressSequentially('@ceo');
  await page.getByText('Nobody is asked yet').waitFor({ state: 'detached' });
}, 25_000);

test('Shift+Tab changes the mode, which holds for what is said next; Escape lets Shift+Tab leave', async () => {
  const space = await opened('Modes', { agents: [agents.ceo] });
  await field().fill('hello');
  await page.keyboard.press('Shift+Tab');
  await button('Mode: Plan').waitFor();
  expect(await hasFocus()).toBe(true);
  await page.keyboard.press('Enter');
  await said(space);
  const { items } = await until(
    () => world.ok('GET', `${ws}/runs?conversationId=${space.mainConversationId}`),
    (list) => list.items.length > 0,
  );
  expect([items[0].mode, (await spaceNow(space)).mode]).toEqual(['plan', 'plan']);
  // Two at once pass over the one between.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await button('Mode: Agent').waitFor();
  await until(
    () => spaceNow(space),
    ({ mode }) => mode === 'chat',
  );
  await page.keyboard.press('Escape');
  await page.getByText('Shift+Tab now leaves the field').first().waitFor();
  await page.keyboard.press('Shift+Tab');
  expect(await hasFocus()).toBe(false);
  await button('Mode: Agent').click();
  await page.getByRole('menuitemradio', { name: /Orchestrate/ }).click();
  await until(
    () => spaceNow(space),
    ({ mode }) => mode === 'orchestrate',
  );
  expect(await page.getByRole('menuitemradio', { name: /Review/ }).count()).toBe(0);
}, 25_000);

test('what is sent while the mode is still being saved is back in the field when the page goes before', async () => {
  const space = await opened('Mode and reload');
  const path = `**/spaces/${space.id}`;
  await page.route(path, (route) => (route.request().method() === 'PATCH' ? undefined : route.continue()));
  await field().press('Shift+Tab');
  await field().fill('In this mode alone');
  await field().press('Enter');
  await until(
    () => field().inputValue(),
    (text) => text === '',
  );
  await page.reload();
  await field().waitFor();
  expect(await field().inputValue()).toBe('In this mode alone');
  expect(await messagesOf(space)).toEqual([]);
  await page.unroute(path);
});

test('a notice covers neither the place to write nor what leads elsewhere', async () => {
  await opened('Notices');
  const files = [0, 1].map((n) => ({ name: `${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') }));
  const many = Array.from({ length: MOST_FILES }, () => files).flat();
  for (const [width, height] of [
    [1280, 800],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.locator('input[type=file]').setInputFiles(many);
    const notice = await page.getByRole('region', { name: 'Notices' }).boundingBox();
    const composer = await page.getByRole('region', { name: 'Write a message' }).boundingBox();
    expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThan(composer?.y ?? 0);
    await button('Dismiss').first().click();
    await page.reload();
    await field().waitFor();
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('files go with a message; one that is too large says so and is not sent', async () => {
  expect([MOST_BYTES, MOST_FILES]).toEqual([MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS]);
  const space = await opened('Files');
  // Made in the page: as test data, five megabytes would be long on their way to it.
  await page.locator('input[type=file]').evaluate((input: HTMLInputElement, tooMany) => {
    const chosen = new DataTransfer();
    for (const [name, size] of [
      ['notes.txt', 3_000],
      ['huge.txt', tooMany],
    ] as const)
      chosen.items.add(new File(['a'.repeat(size)], name, { type: 'text/plain' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, MOST_BYTES + 1);
  await page.getByText('at most 5 MB a file').waitFor();
  await page.route('**/attachments', (route) => route.abort());
  const once = { name: 'again.txt', mimeType: 'text/plain', buffer: Buffer.from('once more') };
  await page
    .locator('input[type=file]')
    .setInputFiles([once, { ...once, name: 'empty.txt', buffer: Buffer.from('') }]);
  await page.getByText('The file is empty.').waitFor();
  await page.getByText('The server cannot be reached.').waitFor();
  const tray = page.getByRole('list', { name: 'Files' });
  await tray.getByText('2.9 KB').waitFor();
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/attachments');
  await button('Upload again.txt again').click();
  await tray.getByText('9 B').waitFor();
  expect(await hasFocus()).toBe(true);
  await button('Remove again.txt').click();
  await button('Remove empty.txt').click();
  await button('Remove huge.txt').click();
  expect(await hasFocus()).toBe(true);
  await page.reload();
  await tray.getByText('notes.txt').waitFor();
  // Pasted, and dropped.
  await field().evaluate((element) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
    );
    const dropped = new DataTransfer();
    dropped.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  });
  await tray.getByText('6 B').waitFor();
  await tray.getByText('7 B').waitFor();
  await button('Send').click();
  const [message] = await said(space);
  expect(message?.attachments.map(({ name }: Json) => name).sort()).toEqual([
    ...['dropped.txt', 'notes.txt', 'pasted.txt'],
  ]);
  await tray.waitFor({ state: 'detached' });
}, 25_000);

test('what the server refuses comes back into the field; what cannot reach it goes out later, once', async () => {
  let isCut = false;
  const sockets = new Set<WebSocketRoute>();
  await page.routeWebSocket('**/api/live', (socket) => {
    if (isCut) return void socket.close();
    sockets.add(socket);
    socket.connectToServer();
  });
  const space = await opened('Failing');
  const refusal = {
    status: 400,
    contentType: 'application/problem+json',
    body: '{"code":"invalid_request","detail":"No room."}',
  };
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill(refusal) : route.continue(),
  );
  await field().fill('Refused words');
  await field().press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Not sent: No room.' }).waitFor();
  expect(await field().inputValue()).toBe('Refused words');
  expect(await flaws(page)).toEqual([]);
  await page.unroute('**/messages');
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  isCut = true;
  for (const socket of sockets) await socket.close();
  await field().fill('Kept words');
  await page.getByText('What you send is kept here and goes out by itself').waitFor();
  expect(await flaws(page)).toEqual([]);
  await field().press('Enter');
  await page.getByText('Not sent').first().waitFor();
  await page.getByText('Kept words').first().waitFor();
  await page.unroute('**/messages');
  isCut = false;
  // It looks by itself now and then.
  await Promise.any([button('Try now').click(), said(space)]);
  await said(space);
  expect((await messagesOf(space)).map(({ body }) => body)).toEqual(['Kept words']);
}, 25_000);

test('while an agent works a message is read now or afterwards, and Escape twice stops the work', async () => {
  const space = await opened('Working', { agents: [agents.ceo] });
  await field().fill('Say it slowly');
  await field().press('Enter');
  const group = page.getByRole('group', { name: /ceo at work/ });
  await group.waitFor();
  await group.getByRole('radio', { name: /After/ }).check();
  await button(/^Queue/).waitFor();
  // Rows that are drawn while the scheme changes under them have the colours of both for a moment.
  await until(
    () => flaws(page),
    (found) => found.length === 0,
  );
  await field().fill('And then hello');
  await field().press('Enter');
  await said(space, 2);
  await field().press('Escape');
  await page.getByText('Press Escape once more to stop ceo').first().waitFor();
  await field().press('Escape');
  const runs = () => world.ok('GET', `${ws}/runs?conversationId=${space.mainConversationId}`);
  await until(runs, ({ items }) => items.some(({ status }: Json) => status === 'cancelled'));
  // What was queued has a run of its own.
  await until(runs, ({ items }) => items.some(({ status }: Json) => status === 'completed'));
}, 25_000);

test('Up changes the last message in place, and gives back what was being written', async () => {
  const space = await opened('Editing', { agents: [] });
  await field().fill('Frist');
  await field().press('Enter');
  await page.getByRole('article').filter({ hasText: 'Frist' }).waitFor();
  await said(space);
  await field().press('ArrowUp');
  await page.getByText('You are changing your last message').first().waitFor();
  expect(await field().inputValue()).toBe('Frist');
  await page.keyboard.press('Escape');
  expect(await field().inputValue()).toBe('');
  await field().press('ArrowUp');
  expect(await flaws(page)).toEqual([]);
  const [sent] = await messagesOf(space);
  await field().fill('First');
  await world.ok('PATCH', `${ws}/messages/${sent?.id}`, { body: 'Third', version: sent?.version });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'It was changed elsewhere meanwhile' }).waitFor();
  await page.getByRole('article').filter({ hasText: 'Third' }).waitFor();
  await page.keyboard.press('Enter');
  await until(
    () => messagesOf(space),
    ([message]) => message?.body === 'First',
  );
  await until(
    () => field().inputValue(),
    (text) => text === '',
  );
}, 25_000);

test('a text of many pages scrolls in its field; Enter of an input method sends nothing', async () => {
  const space = await opened('Long', { agents: [] });
  // As pasting does it: typed line by line, it would be long on its way.
  const length = await field().evaluate((element: HTMLTextAreaElement) => {
    element.setRangeText('A line of many words.\n'.repeat(5_000));
    element.dispatchEvent(new Event('input', { bubbles: true }));
    return element.value.length;
  });
  const box = await page.getByRole('region', { name: 'Write a message' }).boundingBox();
  expect(box?.height).toBeLessThan(500);
  expect(await flaws(page)).toEqual([]);
  // A browser says by the code alone that the key ended a composition.
  for (const taken of [{ isComposing: true }, { keyCode: 229 }])
    await field().evaluate(
      (element, more) =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }),
        ),
      taken,
    );
  expect((await field().inputValue()).length).toBe(length);
  await field().press('Enter');
  const [message] = await said(space);
  expect(message?.body.length).toBe(length - 1);
}, 25_000);

test('others see who types, while they do', async () => {
  const space = await opened('Typing', { agents: [] });
  const mara = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
  const { page: hers } = await openPage(browser);
  await signIn(hers, world, `/w/${workspaceId}/spaces/${space.id}`, mara.id);
  await page.getByTitle('Mara is looking at this space').waitFor();
  await field(hers).pressSequentially('I am');
  await page.getByText('Mara is typing').waitFor();
  expect(await flaws(page)).toEqual([]);
  await field(hers).fill('');
  await page.getByText('Mara is typing').waitFor({ state: 'detached' });
  await hers.context().close();
}, 25_000);

test('a viewer reads why nothing can be written; narrow windows need no sideways scrolling', async () => {
  const space = await opened('Looking');
  await field().fill('A long word: Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik');
  expect(await flaws(page)).toEqual([]);
  const viewer = await world.ok('POST', '/api/members', { name: 'Vera', role: 'viewer' });
  const { page: other } = await openPage(browser);
  await signIn(other, world, `/w/${workspaceId}/spaces/${space.id}`, viewer.id);
  await field(other).waitFor();
  expect(await field(other).getAttribute('placeholder')).toContain('You may look but not change anything');
  expect(await field(other).isEditable()).toBe(false);
  expect(await flaws(other)).toEqual([]);
  await other.context().close();
}, 25_000);
