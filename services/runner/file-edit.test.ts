import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { applyEdit } from './file-edit.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
let path: string;

beforeEach(async () => {
  fixture = await createFixture({ 'src/a.ts': 'alpha\nbeta\ngamma\n' });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  ({ path } = await runner.openWorktree(fixture.opening()));
});
afterEach(() => fixture.remove());

const edit = (oldText: string, newText: string, more = {}) =>
  runner.editFile(fixture.ref(), { path: 'src/a.ts', oldText, newText, ...more });

/** What an edit of this text comes to: the new text, or the fault. */
function edited(text: string, oldText: string, newText = 'x', replaceAll = false): string {
  try {
    return applyEdit(text, { path: 'f', oldText, newText, replaceAll }).text;
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
}

test('an edit needs one exact match, or replaceAll', async () => {
  expect(await edit('beta', 'BETA')).toMatchObject({ replacements: 1, line: 2, wasChanged: false });
  expect(readFileSync(join(path, 'src/a.ts'), 'utf8')).toBe('alpha\nBETA\ngamma\n');
  const twice = 'x = 1;\ny = 2;\nx = 1;\n';
  expect(edited(twice, 'x = 1;')).toMatch(/^ambiguous_match: .*2 times \(lines 1, 3\)/);
  expect(edited(twice, 'x = 1;', '$& $1', true)).toBe('$& $1\ny = 2;\n$& $1\n');
  expect(edited(twice, '')).toMatch(/^invalid_request: oldText is empty/);
  expect(edited(twice, 'x', 'x')).toMatch(/^invalid_request: .* the same/);
});

const CODE = 'if (a) {\n\treturn 1;\n}\nconst total = items.reduce(add, 0);\nshow(total);\n';

test.each<[string, string, string, RegExp]>([
  [
    'spaces for tabs',
    CODE,
    'if (a) {\n  return 1;',
    /line 1 .* white space \(the file indents with tabs\); the file has:\nif \(a\) \{\n\treturn/,
  ],
  ['tabs for spaces', '  a = 1\n', '\ta = 1', /indents with spaces/],
  ['blanks at an end', 'a = 1  \nb = 2\n', 'a = 1\nb = 2', /at the end of a line/],
  ['LF for CR LF', 'one\r\ntwo\r\n', 'one\ntwo', /at line 1, but the file's lines end in CR LF .* not LF/],
  [
    'CR LF for LF',
    'zero\none\ntwo\n',
    'one\r\ntwo',
    /at line 2, but the file's lines end in LF .* not CR LF/,
  ],
  [
    'straight quotes',
    'a\nsay(“hi”)\n',
    'say("hi")',
    /At line 2 the file has “ \(U\+201C\) where oldText has " \(U\+0022\) \(2 such/,
  ],
  ['typographic quotes', "it's\n", 'it’s', /the file has ' \(U\+0027\) where oldText has ’/],
  [
    'an unseen blank',
    'a\u00a0= 1\n',
    'a = 1',
    /the file has a space \(U\+00A0\) where oldText has a space \(U\+0020\)/,
  ],
  [
    'line numbers',
    CODE,
    '4\tconst total = items.reduce(add, 0);\n5\tshow(total);',
    /begin with line numbers/,
  ],
  [
    'another line in between',
    CODE,
    'const total = items.reduce(sum, 1);\nshow(total);',
    /nearest is at line 4; .*\n- const total = items.reduce\(sum, 1\);\n\+ const total = items.reduce\(add, 0\);\n {2}show\(total\);/,
  ],
  [
    'one line that is nearly there',
    CODE,
    'const total = items.reduce(sum);',
    /nearest is at line 4;.*\n- const.*sum.*\n\+ const.*add, 0/,
  ],
  ['nothing like it', CODE, 'zzz qqq www', /Nothing like it is there; read the file again/],
])('a miss by %s is explained', (_, text, oldText, message) => {
  const said = edited(text, oldText);
  expect(said).toMatch(/^no_match: oldText is not in f\. /);
  expect(said).toMatch(message);
});

test('an edit that was made before is said to be made', () => {
  const made = 'before\nconst limit = 20_000;\nafter\n';
  expect(edited(made, 'let limit = 1;', 'const limit = 20_000;')).toMatch(
    /newText is there already, at line 2/,
  );
  expect(edited(made, 'zzz qqq www', 'a')).toMatch(/Nothing like it/);
});

test('a large file is looked through in bounded time, and what is shown is bounded', () => {
  const lines = Array.from({ length: 100_000 }, (_, n) => `  item(${n}, "${'abc'.repeat(30)}");`);
  const startedAt = performance.now();
  const said = edited(
    lines.join('\n'),
    lines.slice(70_000, 70_500).join('\n').replaceAll('item(7', 'thing(7'),
  );
  expect(said).toMatch(/^no_match/);
  expect(said.length).toBeLessThan(5_000);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

test.each([
  ['the same short line over and over', '  }\n'.repeat(4_000_000), ` }\n`.repeat(300_000)],
  ['lines that many others are like', 'z1\nz2\nz3\n'.repeat(1_000_000), 'z1\nz2\nz3\n'.repeat(5)],
])(
  'a miss in a large file of %s holds nobody up',
  (_, text, oldText) => {
    const startedAt = performance.now();
    expect(edited(text, `${oldText}nowhere`)).toMatch(/too many to look for something like it/);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  },
  20_000,
);

test('a file that changed meanwhile is edited where the text fits, and not overwritten', async () => {
  const { version } = await runner.readFile(fixture.ref(), { path: 'src/a.ts' });
  const write = (content: string, more = {}) =>
    runner.writeFile(fixture.ref(), { path: 'src/a.ts', content, ...more });
  await write('alpha\nbeta\ndelta\n');
  expect(await edit('beta', 'BETA', { version })).toMatchObject({ replacements: 1, wasChanged: true });
  await expect(write('mine', { version })).rejects.toMatchObject({ code: 'conflict' });
  const now = await runner.readFile(fixture.ref(), { path: 'src/a.ts' });
  expect(now.text).toBe('alpha\nBETA\ndelta\n');
  const written = await write('mine', { version: now.version });
  expect(written).toMatchObject({ created: false });
  await runner.deleteFile(fixture.ref(), { path: 'src/a.ts' });
  expect(await write('again', { version: written.version })).toMatchObject({ created: true });
});
