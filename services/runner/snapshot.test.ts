import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

const FILES = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'deep/c.txt': 'c\n',
  '.gitignore': 'built/\n*.log\n',
  '.gitattributes': '* text=auto\n*.up filter=upper\n',
};
const author = { name: 'Bot', email: 'bot@example.org' };

let fixture: Fixture;
let runner: EmbeddedRunner;
let top: string;

for (const sandbox of ['auto', 'none'] as const) {
  describe(`sandbox ${sandbox}`, () => {
    beforeEach(async () => {
      fixture = await createFixture(FILES);
      runner = createEmbeddedRunner({ dataDir: fixture.dataDir, sandbox });
      top = (await runner.openWorktree(fixture.opening())).path;
    });
    afterEach(async () => {
      await runner.close();
      fixture.remove();
    });
    snapshots();
  });
}

const write = (path: string, content: string | Uint8Array) => writeFileSync(join(top, path), content);
const read = (path: string) => readFileSync(join(top, path), 'utf8');
const take = async () => (await runner.snapshot(fixture.ref())).commit;
const restore = async (commit: string) =>
  runner.restoreSnapshot(fixture.ref(), { commit, before: await take() });
const command = (text: string) =>
  runner.runCommand(fixture.ref(), { command: text, timeoutMs: 20_000, readOnly: false });

function snapshots(): void {
  test('the same files are the same snapshot, others are another', async () => {
    const first = await take();
    expect(await take()).toBe(first);
    write('new.txt', 'new');
    const second = await take();
    expect(second).not.toBe(first);
    write('built.log', 'ignored');
    mkdirSync(join(top, 'built'));
    write('built/x', 'ignored');
    expect(await take()).toBe(second);
    rmSync(join(top, 'new.txt'));
    expect(await take()).toBe(first);
  });

  test('restores changed, deleted and new files, modes, links and bytes, and says what changed', async () => {
    write('bytes.up', Uint8Array.from([0, 255, 13, 10, 13, 10]));
    write('crlf.txt', 'one\r\ntwo\r\n');
    write('tool.sh', '#!/bin/sh\n');
    chmodSync(join(top, 'tool.sh'), 0o755);
    symlinkSync('../outside', join(top, 'link'));
    const kept = await take();
    write('a.txt', 'changed\n');
    rmSync(join(top, 'b.txt'));
    rmSync(join(top, 'deep'), { recursive: true });
    write('deep', 'a file where a folder was');
    write('bytes.up', 'x');
    write('crlf.txt', 'one\ntwo\n');
    chmodSync(join(top, 'tool.sh'), 0o644);
    rmSync(join(top, 'link'));
    mkdirSync(join(top, 'link'));
    write('link/inside.txt', 'new');
    mkdirSync(join(top, 'more/still'), { recursive: true });
    write('more/still/new.txt', 'new');
    write('kept.log', 'ignored\n');
    const { changes, total, left } = await restore(kept);
    expect(changes.map(({ path, change }) => `${change} ${path}`).sort()).toEqual([
      'added b.txt',
      'added deep/c.txt',
      'added link',
      'changed a.txt',
      'changed bytes.up',
      'changed crlf.txt',
      'changed tool.sh',
      'removed deep',
      'removed link/inside.txt',
      'removed more/still/new.txt',
    ]);
    expect([total, left]).toEqual([10, []]);
    expect([read('a.txt'), read('b.txt'), read('deep/c.txt')]).toEqual(['a\n', 'b\n', 'c\n']);
    expect([...readFileSync(join(top, 'bytes.up'))]).toEqual([0, 255, 13, 10, 13, 10]);
    expect(read('crlf.txt')).toBe('one\r\ntwo\r\n');
    expect(Bun.spawnSync([join(top, 'tool.sh')]).exitCode).toBe(0);
    expect(readlinkSync(join(top, 'link'))).toBe('../outside');
    expect([existsSync(join(top, 'more')), read('kept.log')]).toEqual([false, 'ignored\n']);
    expect(await take()).toBe(kept);
  });

  test('an undo can itself be undone', async () => {
    const first = await take();
    write('a.txt', 'work\n');
    write('new.txt', 'new\n');
    const second = await take();
    await runner.restoreSnapshot(fixture.ref(), { commit: first, before: second });
    expect([read('a.txt'), existsSync(join(top, 'new.txt'))]).toEqual(['a\n', false]);
    await runner.restoreSnapshot(fixture.ref(), { commit: second, before: first });
    expect([read('a.txt'), read('new.txt')]).toEqual(['work\n', 'new\n']);
  });

  test('HEAD, branches, index, objects and settings stay; one ref more keeps what it began with', async () => {
    const before = fixture.sourceState();
    await command('echo staged > staged.txt && git add staged.txt');
    const index = await command('git ls-files -s; git status --porcelain');
    const objects = fixture.git('count-objects', '-v');
    const kept = await take();
    write('a.txt', 'work\n');
    await take();
    await restore(kept);
    expect((await command('git ls-files -s; git status --porcelain')).output).toBe(index.output);
    expect(fixture.git('count-objects', '-v')).toBe(objects);
    expect(fixture.sourceState()).toEqual(before);
    expect(fixture.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/control-center')).toBe(
      `refs/control-center/checkpoints/c1 ${fixture.git('rev-parse', 'main')}`,
    );
  });

  test('files of a commit that is gone from the source are still there after its garbage is collected', async () => {
    await take();
    write('a.txt', 'work\n');
    await runner.commit(fixture.ref(), { message: 'Work', author, coAuthor: null, key: 'k' });
    const kept = await take();
    fixture.git('update-ref', 'refs/heads/control-center/c1', 'main');
    fixture.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
    rmSync(join(fixture.source.path, '.git/worktrees/c1'), { recursive: true, force: true });
    rmSync(join(fixture.source.path, '.git/logs'), { recursive: true, force: true });
    fixture.git('repack', '-adq');
    fixture.git('prune', '--expire=now');
    write('a.txt', 'more\n');
    await restore(kept);
    expect(read('a.txt')).toBe('work\n');
  });

  test('what the branch began with is kept though nothing else holds it', async () => {
    const base = await fixture.commitTo('gone', 'main', { 'only.txt': 'only here\n' });
    const { path } = await runner.openWorktree(fixture.opening('c2', { base }));
    const kept = await runner.snapshot(fixture.ref('c2'));
    rmSync(join(path, 'only.txt'));
    fixture.git('branch', '-qD', 'gone');
    fixture.git('update-ref', 'refs/heads/control-center/c2', 'main');
    rmSync(join(fixture.source.path, '.git/logs'), { recursive: true, force: true });
    fixture.git('gc', '-q', '--prune=now');
    const before = await runner.snapshot(fixture.ref('c2'));
    await runner.restoreSnapshot(fixture.ref('c2'), { commit: kept.commit, before: before.commit });
    expect(readFileSync(join(path, 'only.txt'), 'utf8')).toBe('only here\n');
  });

  test('an ignored file counts where the repository tracks it, and no longer once it is ignored', async () => {
    await command('echo 1 > forced.log && git add -f forced.log');
    write('plain.txt', 'x');
    const kept = await take();
    write('forced.log', '2\n');
    await restore(kept);
    expect(read('forced.log')).toBe('1\n');
    write('.gitignore', 'built/\n*.log\nplain.txt\n');
    const ignoring = await take();
    write('plain.txt', 'y');
    expect(await take()).toBe(ignoring);
  });

  test('what the restored rules no longer ignore is kept and named, since no snapshot has it', async () => {
    const kept = await take();
    write('.gitignore', 'secret.env\n');
    write('secret.env', 'by hand\n');
    const { left, changes } = await restore(kept);
    expect([left, read('secret.env')]).toEqual([['secret.env'], 'by hand\n']);
    expect(changes).toEqual([{ path: '.gitignore', change: 'changed' }]);
  });

  test('what cannot be read is named and the rest is kept', async () => {
    mkdirSync(join(top, 'nested'));
    Bun.spawnSync(['git', 'init', '-q'], { cwd: join(top, 'nested') });
    write('a.txt', 'work\n');
    const { commit, note } = await runner.snapshot(fixture.ref());
    expect(note).toContain("'nested/' does not have a commit checked out");
    write('a.txt', 'more\n');
    await restore(commit);
    expect(read('a.txt')).toBe('work\n');
  });

  const NESTED =
    'git init -q && echo 1 > f && git add f && git -c user.name=a -c user.email=a@b.c commit -qm x';

  test('a repository that a command made in the worktree keeps none of the rest from going back, and is named', async () => {
    const kept = await take();
    await command(`mkdir nested && cd nested && ${NESTED}`);
    write('a.txt', 'work\n');
    const { changes, left } = await restore(kept);
    expect([read('a.txt'), read('nested/f')]).toEqual(['a\n', '1\n']);
    expect([changes, left]).toEqual([[{ path: 'a.txt', change: 'changed' }], ['nested/']]);
    const later = await take();
    await command('cd nested && echo 2 > f && git -c user.name=a -c user.email=a@b.c commit -qam y');
    write('a.txt', 'more\n');
    expect((await restore(later)).left).toEqual(['nested/']);
    expect([read('a.txt'), read('nested/f')]).toEqual(['a\n', '2\n']);
  });

  test('a repository of its own is not overwritten by the files that were in its place', async () => {
    const kept = await take();
    await command(`rm a.txt && mkdir a.txt && cd a.txt && ${NESTED}`);
    write('b.txt', 'work\n');
    await expect(restore(kept)).rejects.toMatchObject({
      code: 'cannot_undo',
      message: expect.stringMatching(/a\.txt\/.*move/),
    });
    expect([read('a.txt/f'), read('b.txt')]).toEqual(['1\n', 'work\n']);
  });

  test('what the present rules ignore and the earlier ones did not is kept before it is overwritten', async () => {
    write('own.txt', 'one\n');
    const kept = await take();
    write('.gitignore', 'own.txt\n');
    write('own.txt', 'two\n');
    const before = (await runner.snapshot(fixture.ref(), { restoring: kept })).commit;
    await runner.restoreSnapshot(fixture.ref(), { commit: kept, before });
    expect(read('own.txt')).toBe('one\n');
    await runner.restoreSnapshot(fixture.ref(), { commit: before, before: kept });
    expect(read('own.txt')).toBe('two\n');
  });

  test('what is at work when files are to be taken back comes to its end first, and is kept', async () => {
    const kept = await take();
    const working = command('touch begun; until [ -e go ]; do sleep 0.02; done; echo late > late.txt');
    while (!existsSync(join(top, 'begun'))) await Bun.sleep(5);
    const taking = runner.snapshot(fixture.ref(), { restoring: kept });
    await take();
    write('go', '');
    await working;
    const before = (await taking).commit;
    const { changes } = await runner.restoreSnapshot(fixture.ref(), { commit: kept, before });
    expect(changes.map(({ path }) => path)).toContain('late.txt');
  });

  test('an ignored file that was added by force stays, as ignored files do', async () => {
    write('own.log', 'mine\n');
    const kept = await take();
    await command('git add -f own.log');
    const { changes, left } = await restore(kept);
    expect([changes, left, read('own.log')]).toEqual([[], ['own.log'], 'mine\n']);
  });

  test('attributes, filters and settings that the agent names run no program', async () => {
    await command('git config core.fsmonitor "touch ran"; git config filter.upper.clean "touch ran; cat"');
    write('.gitattributes', '*.up filter=upper\n*.txt text eol=crlf\n');
    write('x.up', 'low\n');
    const kept = await take();
    write('x.up', 'changed\n');
    await restore(kept);
    expect([read('x.up'), read('a.txt'), existsSync(join(top, 'ran'))]).toEqual(['low\n', 'a\n', false]);
  });

  test('a lock that a killed git left, and a store half made, are no obstacle', async () => {
    const first = await take();
    const store = join(top, '../../snapshots/app');
    writeFileSync(join(store, 'index.lock'), '');
    expect(await take()).toBe(first);
    rmSync(join(store, 'refs/checkpoints', first));
    writeFileSync(join(store, 'refs/checkpoints', `${first}.lock`), '');
    expect(await take()).toBe(first);
    writeFileSync(join(fixture.source.path, '.git/refs/control-center/checkpoints/c1.lock'), '');
    rmSync(join(store, 'ready'));
    rmSync(join(store, 'HEAD'));
    expect(await take()).toBe(first);
  });

  test('snapshots asked for at once come one after another', async () => {
    write('a.txt', 'work\n');
    const all = await Promise.all(Array.from({ length: 5 }, take));
    expect(new Set(all).size).toBe(1);
  });

  test('a snapshot of another worktree, a name and a place outside are refused', async () => {
    const before = await take();
    for (const commit of ['0'.repeat(40), '../../../x', '--help', 'main']) {
      await expect(runner.restoreSnapshot(fixture.ref(), { commit, before })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('closing takes the snapshots and the ref along, and unmerged work is still seen', async () => {
    await take();
    write('a.txt', 'work\n');
    const kept = await take();
    await runner.commit(fixture.ref(), { message: 'Work', author, coAuthor: null, key: 'k' });
    rmSync(join(top, '../../snapshots'), { recursive: true });
    await take();
    const { removed, reason } = await runner.closeWorktree(fixture.ref(), { discard: false });
    expect([removed, reason]).toEqual([false, expect.stringContaining('1 unmerged commit')]);
    await runner.closeWorktree(fixture.ref(), { discard: true });
    expect(fixture.git('for-each-ref', 'refs/control-center')).toBe('');
    expect(existsSync(join(top, '../../snapshots/app'))).toBe(false);
    await runner.openWorktree(fixture.opening());
    await expect(runner.restoreSnapshot(fixture.ref(), { commit: kept, before: kept })).rejects.toMatchObject(
      { code: 'not_found' },
    );
  });
}
