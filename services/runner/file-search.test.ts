import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';
import type { SearchLine } from './runner.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
const search = (pattern: string, more = {}) => runner.searchFiles(fixture.ref(), { pattern, ...more });
const write = (path: string, content: string) => runner.writeFile(fixture.ref(), { path, content });
const shown = (lines: SearchLine[]) =>
  lines.map(({ path, line, text, isContext }) => `${path}${isContext ? '-' : ':'}${line} ${text}`);

beforeEach(async () => {
  fixture = await createFixture({
    'src/a.ts': 'alpha\nbeta\ngamma\n',
    'src/b.test.ts': 'alpha beta\n',
    'notes.md': 'Alpha\n',
    '.github/ci.yml': 'alpha: 1\n',
  });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.openWorktree(fixture.opening());
});
afterEach(() => fixture.remove());

test('finds lines with their place, and counts them by file', async () => {
  const found = await search('al[p]ha');
  expect(shown(found.lines)).toEqual([
    '.github/ci.yml:1 alpha: 1',
    'src/a.ts:1 alpha',
    'src/b.test.ts:1 alpha beta',
  ]);
  expect(found.files.map(({ path, matches, hasMore }) => [path, matches, hasMore])).toEqual([
    ['.github/ci.yml', 1, false],
    ['src/a.ts', 1, false],
    ['src/b.test.ts', 1, false],
  ]);
  expect(found.cut).toBeNull();
  expect((await search('ALPHA', { caseSensitive: false, glob: '*.md' })).lines).toHaveLength(1);
  expect(await search('--files')).toEqual({ lines: [], files: [], cut: null });
  await expect(search('(')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/unclosed/),
  });
});

test('says what it left out: by the limit, in one file, by its size', async () => {
  expect(await search('alpha', { path: 'src', limit: 1 })).toMatchObject({
    cut: 'limit',
    lines: [{ line: 1 }],
  });
  expect(await search('alpha', { path: 'src', limit: 2 })).toMatchObject({ cut: null });
  await write('many.txt', 'many\n'.repeat(9));
  const some = await search('many', { perFile: 3 });
  expect(some).toMatchObject({ cut: null, files: [{ path: 'many.txt', matches: 3, hasMore: true }] });
  expect(some.lines.map(({ line }) => line)).toEqual([1, 2, 3]);
  expect((await search('many', { perFile: 9 })).files[0]).toMatchObject({ matches: 9, hasMore: false });
  await write('wide.txt', `${'w'.repeat(400)}\n`.repeat(200));
  const wide = await search('www', { perFile: 200 });
  expect(wide.cut).toBe('bytes');
  expect(wide.lines.length).toBeLessThan(80);
});

test('of a long line the part with the match is shown', async () => {
  await write('long.json', `{"a":"${'é'.repeat(90_000)}","needle":1,"b":"${'z'.repeat(90_000)}"}`);
  const [line] = (await search('needle')).lines;
  expect(line?.text).toContain('"needle":1');
  expect(line?.text).toHaveLength(502);
  await write('start.json', `needle${'x'.repeat(100_000)}`);
  expect((await search('needle', { glob: 'start*' })).lines[0]?.text).toHaveLength(501);
});

test('gives the lines around a match, and none that stand around nothing', async () => {
  await write(
    'ctx.txt',
    Array.from({ length: 30 }, (_, n) => (n % 10 === 4 ? 'HIT' : `l${n + 1}`)).join('\n'),
  );
  expect(shown((await search('HIT', { context: 1 })).lines)).toEqual([
    ...['ctx.txt-4 l4', 'ctx.txt:5 HIT', 'ctx.txt-6 l6'],
    ...['ctx.txt-14 l14', 'ctx.txt:15 HIT', 'ctx.txt-16 l16'],
    ...['ctx.txt-24 l24', 'ctx.txt:25 HIT', 'ctx.txt-26 l26'],
  ]);
  const one = await search('HIT', { context: 2, perFile: 1 });
  expect(one.lines.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7]);
  expect(one.files).toEqual([{ path: 'ctx.txt', matches: 1, hasMore: true }]);
  const limited = await search('HIT', { context: 1, limit: 2 });
  expect(limited.lines.map(({ line }) => line)).toEqual([4, 5, 6, 14, 15, 16]);
  expect(limited.cut).toBe('limit');
});

test('names the files alone, with how much is in each', async () => {
  await write('many.txt', 'alpha\n'.repeat(500));
  const { files, lines, cut } = await search('alpha', { filesOnly: true });
  expect(lines).toEqual([]);
  expect(cut).toBeNull();
  expect(files.find(({ path }) => path === 'many.txt')?.matches).toBe(500);
  expect(files).toHaveLength(4);
  expect(await search('alpha', { filesOnly: true, limit: 2 })).toMatchObject({
    cut: 'limit',
    files: [{}, {}],
  });
});
