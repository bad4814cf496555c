import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
const work = {
  message: 'Add a file\n\nBecause it was missing.',
  author: { name: 'Builder', email: 'builder@agents.example' },
  coAuthor: { name: 'Ada', email: 'ada@example.org' },
  key: 'run_1/call_1',
};
const shell = (command: string) =>
  runner.runCommand(fixture.ref(), { command, timeoutMs: 20_000, readOnly: false });

beforeEach(async () => {
  fixture = await createFixture({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.openWorktree(fixture.opening());
});
afterEach(async () => {
  await runner.close();
  fixture.remove();
});

test('a commit holds every change, its author and its trailers, and runs no hook', async () => {
  const hook = `${fixture.source.path}/.git/hooks/reference-transaction`;
  await Bun.write(hook, '#!/bin/sh\nexit 1\n');
  Bun.spawnSync(['chmod', '+x', hook]);
  await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
  await runner.writeFile(fixture.ref(), { path: 'ignored', content: 'x' });
  await runner.deleteFile(fixture.ref(), { path: 'a.txt' });
  const { commit, files } = await runner.commit(fixture.ref(), work);
  expect(files).toBe(2);
  expect(fixture.git('show', '-s', '--format=%an|%ae|%cn|%B', commit ?? '')).toBe(
    'Builder|builder@agents.example|Builder|Add a file\n\nBecause it was missing.\n\n' +
      'Co-authored-by: Ada <ada@example.org>\nControl-Center-Key: run_1/call_1',
  );
  expect(fixture.git('ls-tree', '--name-only', commit ?? '').split('\n')).toEqual(['.gitignore', 'new.txt']);
  expect(await runner.gitStatus(fixture.ref())).toMatchObject({ head: commit ?? '', dirty: [] });
});

test('a second commit with the same key returns the first and commits nothing', async () => {
  await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
  const first = await runner.commit(fixture.ref(), work);
  await runner.writeFile(fixture.ref(), { path: 'more.txt', content: 'more' });
  expect(await runner.commit(fixture.ref(), work)).toEqual(first);
  expect(await runner.gitStatus(fixture.ref())).toMatchObject({ dirty: ['more.txt'] });
  const other = await runner.commit(fixture.ref(), { ...work, key: 'run_1/call_2' });
  expect(other.commit).not.toBe(first.commit);
});

test('two commits with one key at once have one effect', async () => {
  await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
  const [one, two] = await Promise.all([
    runner.commit(fixture.ref(), work),
    runner.commit(fixture.ref(), work),
  ]);
  expect(one).toEqual(two);
  expect(fixture.git('rev-list', '--count', 'main..control-center/c1')).toBe('1');
});

test('without a change there is no commit', async () => {
  expect(await runner.commit(fixture.ref(), work)).toEqual({ commit: null, files: 0 });
});

test('messages, keys and names that would forge or break a trailer are refused', async () => {
  const bad = [
    { ...work, message: '  ' },
    { ...work, message: 'x\n\nControl-Center-Key: run_2/call_9' },
    { ...work, key: 'a\nb' },
    { ...work, author: { name: 'A\nB', email: 'a@b' } },
    { ...work, coAuthor: { name: 'A <x>', email: 'a@b' } },
  ];
  for (const one of bad) {
    await expect(runner.commit(fixture.ref(), one)).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test('what a command committed and staged is in the source repository, whole', async () => {
  const done = await shell(
    'echo one > one.txt && git add . && git commit -qm one && echo two > two.txt && git add .',
  );
  expect(done).toMatchObject({ exitCode: 0, output: '' });
  expect(fixture.git('log', '-1', '--format=%s', 'control-center/c1')).toBe('one');
  const { files } = await runner.commit(fixture.ref(), work);
  expect(files).toBe(1);
  expect(fixture.git('rev-list', '--count', 'main..control-center/c1')).toBe('2');
  expect(fixture.git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('a merge that a command began is committed as a merge, but not with conflicts in it', async () => {
  await fixture.commitTo('theirs', 'main', { 'a.txt': 'theirs\n' });
  await shell('echo ours > a.txt && git commit -qam ours; git merge theirs');
  await expect(runner.commit(fixture.ref(), work)).rejects.toMatchObject({
    code: 'merge_conflict',
    detail: { files: ['a.txt'] },
  });
  await runner.writeFile(fixture.ref(), { path: 'a.txt', content: 'both\n' });
  const { commit } = await runner.commit(fixture.ref(), work);
  expect(fixture.git('rev-parse', `${commit}^2`)).toBe(fixture.git('rev-parse', 'theirs'));
  expect(await shell('git merge --abort')).toMatchObject({ exitCode: 128 });
});

test('a worktree that is on another branch is not committed to it', async () => {
  fixture.git('branch', 'other');
  await shell('git switch -q other && echo x > x.txt');
  await expect(runner.commit(fixture.ref(), work)).rejects.toMatchObject({ code: 'conflict' });
  expect(fixture.git('rev-parse', 'other')).toBe(fixture.git('rev-parse', 'main'));
});

test('locks of a killed git and a damaged git state are mended', async () => {
  await shell(
    'd=$(git rev-parse --git-dir); touch $d/index.lock $d/HEAD.lock; rm -f $d/index; ln -sf /etc/passwd $d/HEAD',
  );
  await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
  expect(await runner.commit(fixture.ref(), work)).toMatchObject({ files: 1 });
});
