import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;

beforeEach(async () => {
  fixture = await createFixture({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
});
afterEach(async () => {
  await runner.close();
  fixture.remove();
});

test('a worktree starts from the named base and opening it again gives the same', async () => {
  const base = fixture.git('rev-parse', 'main');
  const first = await runner.openWorktree(fixture.opening());
  expect(first).toEqual({
    path: join(fixture.dataDir, 'workspaces/ws/worktrees/c1/repos/app'),
    branch: 'control-center/c1',
    base,
    head: base,
    merged: [],
    conflicts: [],
  });
  await fixture.commitTo('later', 'main', { 'a.txt': 'later\n' });
  fixture.git('update-ref', 'refs/heads/moving', 'later');
  expect(await runner.openWorktree(fixture.opening('c1', { base: 'moving' }))).toEqual(first);
  expect(await Bun.file(join(first.path, 'a.txt')).text()).toBe('a\n');
});

test('branches are merged in order; one that conflicts is listed and left out, with nothing half merged', async () => {
  await fixture.commitTo('one', 'main', { 'a.txt': 'one\n' });
  await fixture.commitTo('two', 'main', { 'a.txt': 'two\n', 'c.txt': 'c\n' });
  await fixture.commitTo('three', 'main', { 'b.txt': 'three\n' });
  const before = fixture.sourceState();
  const opened = await runner.openWorktree(fixture.opening('c1', { merge: ['one', 'two', 'three'] }));
  expect(opened.merged).toEqual(['one', 'three']);
  expect(opened.conflicts).toEqual([{ branch: 'two', files: ['a.txt'] }]);
  expect(await runner.gitStatus(fixture.ref())).toMatchObject({ head: opened.head, dirty: [] });
  expect(await Bun.file(join(opened.path, 'b.txt')).text()).toBe('three\n');
  expect(existsSync(join(opened.path, 'c.txt'))).toBe(false);
  expect(fixture.sourceState()).toEqual(before);
});

test('what cannot be opened is refused and leaves nothing', async () => {
  await expect(runner.openWorktree(fixture.opening('c1', { base: 'nowhere' }))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(runner.openWorktree(fixture.opening('c1', { branch: 'main' }))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(runner.openWorktree(fixture.opening('../c1'))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  fixture.git('branch', 'control-center/taken');
  await expect(
    runner.openWorktree(fixture.opening('c1', { branch: 'control-center/taken' })),
  ).rejects.toMatchObject({ code: 'conflict' });
  await expect(runner.gitStatus(fixture.ref())).rejects.toMatchObject({ code: 'not_found' });
  expect(fixture.git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('one conversation has one branch: another is a conflict', async () => {
  await runner.openWorktree(fixture.opening());
  await expect(
    runner.openWorktree(fixture.opening('c1', { branch: 'control-center/other' })),
  ).rejects.toMatchObject({ code: 'conflict' });
});

test('twenty worktrees opened at once on one repository are all whole and apart', async () => {
  const before = fixture.sourceState();
  const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
  const opened = await Promise.all(ids.map((id) => runner.openWorktree(fixture.opening(id))));
  await Promise.all(ids.map((id) => runner.writeFile(fixture.ref(id), { path: 'own.txt', content: id })));
  const statuses = await Promise.all(ids.map((id) => runner.gitStatus(fixture.ref(id))));
  expect(new Set(opened.map((one) => one.path)).size).toBe(20);
  for (const [index, status] of statuses.entries()) {
    expect(status).toMatchObject({ branch: `control-center/c${index}`, dirty: ['own.txt'] });
  }
  expect(fixture.sourceState()).toEqual(before);
});

test('a worktree whose folder was removed by hand is made again from its branch', async () => {
  const opened = await runner.openWorktree(fixture.opening());
  await runner.writeFile(fixture.ref(), { path: 'kept.txt', content: 'kept' });
  const author = { name: 'Bot', email: 'bot@example.org' };
  const { commit } = await runner.commit(fixture.ref(), {
    message: 'Keep',
    author,
    coAuthor: null,
    key: 'k',
  });
  rmSync(opened.path, { recursive: true });
  expect(await runner.openWorktree(fixture.opening())).toEqual({ ...opened, head: commit ?? '' });
  expect(await Bun.file(join(opened.path, 'kept.txt')).text()).toBe('kept');
});

test('a worktree that git was told to forget keeps its uncommitted files', async () => {
  const opened = await runner.openWorktree(fixture.opening());
  await runner.writeFile(fixture.ref(), { path: 'draft.txt', content: 'draft' });
  rmSync(join(fixture.source.path, '.git/worktrees'), { recursive: true });
  expect(await runner.openWorktree(fixture.opening())).toEqual(opened);
  expect(await runner.gitStatus(fixture.ref())).toMatchObject({ dirty: ['draft.txt'] });
  expect(fixture.git('fsck')).toBe('');
});
