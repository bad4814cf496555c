import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
let path: string;
const at = (name: string) => join(path, name);
const read = (name: string, more = {}) => runner.readFile(fixture.ref(), { path: name, ...more });
const write = (name: string, content: string) => runner.writeFile(fixture.ref(), { path: name, content });
const edit = (name: string, oldText: string, newText: string, more = {}) =>
  runner.editFile(fixture.ref(), { path: name, oldText, newText, ...more });

beforeEach(async () => {
  fixture = await createFixture({
    'src/a.ts': 'alpha\nbeta\ngamma\n',
    'src/b.test.ts': 'alpha beta\n',
    'notes.md': 'Alpha\n',
    '.github/ci.yml': 'alpha: 1\n',
    '.gitignore': 'ignored/\n*.log\n',
  });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  ({ path } = await runner.openWorktree(fixture.opening()));
  await Bun.write(join(fixture.root, 'outside.txt'), 'outside');
});
afterEach(() => fixture.remove());

test('reading gives the lines asked for and says what is missing', async () => {
  expect(await read('src/a.ts')).toEqual({
    ...{ text: 'alpha\nbeta\ngamma\n', startLine: 1, endLine: 3, totalLines: 3, nextColumn: null },
    ...{ truncated: false, bytes: 17, version: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(await read('src/a.ts', { startLine: 2, lines: 1 })).toMatchObject({
    ...{ text: 'beta\n', startLine: 2, endLine: 2, truncated: true },
  });
  await write('empty', '');
  expect(await read('empty')).toMatchObject({
    text: '',
    endLine: 0,
    totalLines: 0,
    truncated: false,
    bytes: 0,
  });
  await expect(read('src/a.ts', { startLine: 9 })).rejects.toMatchObject({ code: 'invalid_request' });
  await write('long', `${'é'.repeat(200_000)}`);
  expect((await read('long')).text).toBe('é'.repeat(100_000));
});

test('a part ends with a whole line where one fits, and says where a longer one goes on', async () => {
  const longLine = '🙂'.repeat(20);
  const text = `one\ntwo\n${longLine}\nlast`;
  await write('parts', text);
  expect(await read('parts', { characters: 9 })).toMatchObject({
    text: 'one\ntwo\n',
    endLine: 2,
    nextColumn: null,
  });
  let [joined, startLine, startColumn] = ['', 1, 1];
  for (let pieces = 0; pieces < 100 && startLine <= 4; pieces += 1) {
    const piece = await read('parts', { startLine, startColumn, characters: 7 });
    joined += piece.text;
    [startLine, startColumn] = [piece.nextColumn ? piece.endLine : piece.endLine + 1, piece.nextColumn ?? 1];
  }
  expect(joined).toBe(text);
  const past = { startLine: 1, startColumn: 9 };
  await expect(read('parts', past)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a file of very many lines holds nobody up', async () => {
  await runner.writeFile(fixture.ref(), { path: 'lines.txt', content: '\n'.repeat(16 * 1024 * 1024) });
  const startedAt = performance.now();
  for (let at = 0; at < 4; at += 1) {
    const part = await runner.readFile(fixture.ref(), { path: 'lines.txt', startLine: 16_000_000, lines: 2 });
    expect(part).toMatchObject({ text: '\n\n', totalLines: 16 * 1024 * 1024 });
  }
  expect(performance.now() - startedAt).toBeLessThan(6_000);
}, 30_000);

test('bytes come as they are, a piece at a time, and from nowhere else', async () => {
  const content = new Uint8Array(300).map((_, at) => at % 256);
  await Bun.write(at('raw'), content);
  const piece = (offset: number, bytes: number) =>
    runner.readBytes(fixture.ref(), { path: 'raw', offset, bytes });
  const { data, totalBytes } = await piece(10, 20);
  expect([...Buffer.from(data, 'base64')]).toEqual([...content.subarray(10, 30)]);
  expect(totalBytes).toBe(300);
  expect((await piece(400, 1)).data).toBe('');
  await expect(piece(0, 0)).rejects.toMatchObject({ code: 'invalid_request' });
  const outside = { path: '../../x', offset: 0, bytes: 1 };
  await expect(runner.readBytes(fixture.ref(), outside)).rejects.toMatchObject({
    code: 'path_outside_worktree',
  });
});

test('a byte-order mark, CR LF and characters of every plane come back as they are', async () => {
  const text = '\uFEFFone\r\ntwo 😀\r\n';
  await write('marked.txt', text);
  expect((await read('marked.txt')).text).toBe(text);
  await edit('marked.txt', 'two', '2');
  expect(readFileSync(at('marked.txt'), 'utf8')).toBe('\uFEFFone\r\n2 😀\r\n');
});

test('no path leads out of the worktree or into git’s own folder', async () => {
  symlinkSync(fixture.root, at('up'));
  symlinkSync(join(fixture.root, 'outside.txt'), at('link.txt'));
  symlinkSync('.git', at('innocent'));
  symlinkSync('/nowhere', at('dangling'));
  symlinkSync('loop', at('loop'));
  const paths = [
    '../x',
    'src/../../x',
    '/etc/passwd',
    at('src/a.ts'),
    'up/outside.txt',
    'link.txt',
    '.git',
    '.GIT/config',
    '.git./config',
    '.g\u200Cit/config',
    'GIT~1/config',
    'src/.git/hooks/x',
    'innocent',
    'innocent/x',
  ];
  for (const name of paths) {
    const calls = [
      () => read(name),
      () => write(name, 'x'),
      () => edit(name, 'a', 'b'),
      () => runner.listFiles(fixture.ref(), { path: name }),
    ];
    for (const call of calls) {
      const code = await call().then(
        () => 'allowed',
        (error) => error.code,
      );
      expect([name, code]).toEqual([name, expect.stringMatching(/^(path_outside_worktree|file_not_found)$/)]);
    }
  }
  for (const name of ['up/new.txt', 'dangling', 'loop']) {
    await expect(write(name, 'x')).rejects.toMatchObject({
      code: expect.stringMatching(/outside|not_found/),
    });
  }
  expect(readFileSync(join(fixture.root, 'outside.txt'), 'utf8')).toBe('outside');
  expect(readdirSync(fixture.root).sort()).toEqual(['data', 'outside.txt', 'source']);
});

test('links inside are followed, deleting removes the link alone, hard links are not written through', async () => {
  symlinkSync('src/a.ts', at('alias.ts'));
  await write('alias.ts', 'new\n');
  expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('new\n');
  expect(lstatSync(at('alias.ts')).isSymbolicLink()).toBe(true);
  await runner.deleteFile(fixture.ref(), { path: 'alias.ts' });
  expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('new\n');
  linkSync(join(fixture.root, 'outside.txt'), at('hard.txt'));
  await write('hard.txt', 'changed');
  expect(readFileSync(join(fixture.root, 'outside.txt'), 'utf8')).toBe('outside');
});

test('what is no text file is refused by name', async () => {
  Bun.spawnSync(['mkfifo', at('pipe')]);
  await Bun.write(at('binary'), new Uint8Array([0, 1, 2]));
  await Bun.write(at('latin'), new Uint8Array([0x66, 0xfc, 0x72]));
  symlinkSync('/dev/zero', at('zero'));
  const refusals: [string, string, RegExp][] = [
    ['pipe', 'invalid_request', /pipe, socket or device/],
    ['binary', 'invalid_request', /not UTF-8 text/],
    ['latin', 'invalid_request', /not UTF-8 text/],
    ['zero', 'path_outside_worktree', /leads out/],
    ['src', 'invalid_request', /is a folder/],
    ['missing', 'file_not_found', /does not exist/],
    ['notes.md/x', 'file_not_found', /no folder/],
    ['x'.repeat(300), 'invalid_request', /too long/],
    ['nul\0', 'invalid_request', /NUL/],
  ];
  for (const [name, code, message] of refusals) {
    await expect(read(name)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  }
  await expect(write('pipe', 'x')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(write('src', 'x')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(runner.deleteFile(fixture.ref(), { path: 'src' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(runner.deleteFile(fixture.ref(), { path: 'gone' })).rejects.toMatchObject({
    code: 'file_not_found',
  });
  await Bun.write(at('huge'), 'x'.repeat(17 * 1024 * 1024));
  await expect(read('huge')).rejects.toMatchObject({ code: 'too_large' });
  await expect(write('huge', 'x'.repeat(17 * 1024 * 1024))).rejects.toMatchObject({ code: 'too_large' });
});

test('writing makes folders, says what is new, and keeps the mode', async () => {
  expect(await write('deep/er/new.txt', 'é')).toMatchObject({ bytes: 2, created: true });
  await write('run.sh', '#!/bin/sh\n');
  chmodSync(at('run.sh'), 0o755);
  expect(await write('run.sh', '#!/bin/sh\necho\n')).toMatchObject({ bytes: 15, created: false });
  expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755);
});

test('edits of one file at once are all kept', async () => {
  await write('list', Array.from({ length: 20 }, (_, n) => `<${n}>`).join('\n'));
  await Promise.all(Array.from({ length: 20 }, (_, n) => edit('list', `<${n}>`, `[${n}]`)));
  expect((await read('list')).text).not.toContain('<');
});

test('listing shows what git would track, hidden files too, whatever the glob', async () => {
  mkdirSync(at('ignored'));
  await Bun.write(at('ignored/x.ts'), 'alpha');
  await Bun.write(at('debug.log'), 'alpha');
  const list = async (more: object) => (await runner.listFiles(fixture.ref(), more)).files;
  const all = ['.github/ci.yml', '.gitignore', 'notes.md', 'src/a.ts', 'src/b.test.ts'];
  expect(await list({})).toEqual(all);
  expect(await list({ glob: '*.ts' })).toEqual(['src/a.ts', 'src/b.test.ts']);
  expect(await list({ glob: '*.log' })).toEqual([]);
  expect(await list({ glob: '!*.ts' })).toEqual(['.github/ci.yml', '.gitignore', 'notes.md']);
  expect(await list({ path: 'src', glob: 'src/*.test.ts' })).toEqual(['src/b.test.ts']);
  expect(await runner.listFiles(fixture.ref(), { limit: 2 })).toEqual({
    files: all.slice(0, 2),
    truncated: true,
    total: 5,
  });
});

test('on a full disk the old content is intact and the fault says so', async () => {
  const mount = join(fixture.root, 'small');
  mkdirSync(mount);
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'none', mount]);
  if (mounted.exitCode !== 0) {
    process.stdout.write(`disk-full test does not run: ${mounted.stderr.toString().trim()}\n`);
    return;
  }
  try {
    const small = createEmbeddedRunner({ dataDir: mount });
    const opening = fixture.opening('c9');
    await small.openWorktree(opening);
    const ref = fixture.ref('c9');
    await small.writeFile(ref, { path: 'kept.txt', content: 'kept' });
    const big = { path: 'kept.txt', content: 'x'.repeat(3 * 1024 * 1024) };
    await expect(small.writeFile(ref, big)).rejects.toMatchObject({ code: 'disk_full' });
    expect(await small.readFile(ref, { path: 'kept.txt' })).toMatchObject({ text: 'kept' });
    expect(await small.gitStatus(ref)).toMatchObject({ dirty: ['kept.txt'] });
    const flood = { command: 'head -c 4000000 /dev/zero | tr "\\0" x', timeoutMs: 9_000, readOnly: true };
    const done = await small.runCommand(ref, flood);
    expect(done).toMatchObject({ exitCode: 0, truncated: true, fullOutputPath: null });
    expect(done.output).toContain('could not be kept: ENOSPC');
  } finally {
    Bun.spawnSync(['umount', mount]);
  }
});
