import { expect, test } from 'bun:test';
import { onWord, post, scriptOf, until } from '../e2e/world.ts';
import { flaws } from './browser.ts';
import { type Fared, faring, inWords, isSmooth } from './conversation-frames.ts';
import { roomStage } from './room-stage.ts';

const WORDS = Array.from({ length: 200 }, (_, i) => `word${i}.`);
/** A text of about 3,000 tokens, one in each piece of the stream. */
const TOKENS = Array.from({ length: 3_000 }, (_, i) =>
  i % 60 === 59 ? '\n\n' : i % 17 === 0 ? '**tk** ' : 'tok ',
);
const SCRIPT = scriptOf(
  onWord('speak slowly', { text: WORDS.join(' '), chunkDelayMs: 15, chunkChars: 8 }),
  onWord('speak at length', { text: `${TOKENS.join('')} The end.`, chunkDelayMs: 1, chunkChars: 4 }),
);
const MOST_SCRIPT_MS = 1_500;
const TRIES = 3;

const stage = roomStage(SCRIPT);
const { opened, write, log, message, messagesOf } = stage;
const samePort = () => ({ CONTROL_CENTER_PORT: new URL(stage.world.server.url).port });

test('a server that is killed in the middle of an answer: nothing is lost and nothing twice', async () => {
  const space = await opened('Killed');
  await write('Please speak slowly');
  await log().getByText('word5.').waitFor();
  await stage.world.restart(samePort());
  await message('word199.').waitFor({ timeout: 20_000 });
  await stage.page.getByRole('button', { name: /^Worked for/ }).waitFor();
  const text = (await log().textContent()) ?? '';
  expect(WORDS.filter((word) => text.split(word).length !== 2)).toEqual([]);
  expect(text.split('Please speak slowly').length).toBe(2);
  expect(await messagesOf(space)).toHaveLength(2);
}, 40_000);

test('what is written while the server is away goes out by itself when it is back, once', async () => {
  const space = await opened('Away', { agents: [] });
  await post(stage.world, stage.ws, space, 'Before');
  await message('Before').waitFor();
  stage.world.server.kill();
  const port = samePort();
  await stage.world.server.exited;
  await write('Said into the void');
  await log().getByText('Not sent').waitFor();
  expect(await flaws(stage.page)).toEqual([]);
  await stage.world.restart(port);
  await until(
    () => messagesOf(space),
    (items) => items.length === 2,
    15_000,
  );
  await log().getByText('Not sent').waitFor({ state: 'detached' });
  expect(await log().getByText('Said into the void').count()).toBe(1);
}, 40_000);

test('a look that failed leaves the screen as it was, and is made again when the server is back', async () => {
  const space = await opened('As it was', { agents: [] });
  const path = `**/spaces/${space.id}`;
  await stage.page.route(path, (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', detail: 'No.' } }),
  );
  const failed = stage.page.waitForResponse((response) => response.status() === 404);
  await stage.world.ok('PATCH', `${stage.ws}/spaces/${space.id}`, {
    name: 'As it is',
    version: space.version,
  });
  await failed;
  await stage.page.getByRole('navigation').getByText('As it is').waitFor();
  expect(await stage.page.getByRole('heading', { level: 1 }).textContent()).toBe('As it was');
  await stage.page.unroute(path);
  await stage.world.restart(samePort());
  await stage.page.getByRole('heading', { level: 1, name: 'As it is' }).waitFor({ timeout: 15_000 });
}, 30_000);

test('3,000 tokens stream in without stutter, and the end stays in view', async () => {
  let fared: Fared;
  let tries = 0;
  do {
    await opened(`Length ${tries}`);
    fared = await faring(stage.page, async () => {
      await write('Please speak at length');
      await log().getByText('The end.').waitFor({ timeout: 20_000 });
    });
    console.log(`3,000 tokens: ${inWords(fared)}`);
    await message('The end.').waitFor();
    expect(await log().getByText('The end.').count()).toBe(1);
    expect(await log().getByText('The end.').isVisible()).toBe(true);
  } while (!isSmooth(fared) && ++tries < TRIES);
  expect(isSmooth(fared)).toBe(true);
  expect(fared.scriptMs).toBeLessThanOrEqual(MOST_SCRIPT_MS);
}, 60_000);
