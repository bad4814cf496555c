import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
const author = { name: 'Bot', email: 'bot@example.org' };

beforeEach(async () => {
  fixture = await createFixture();
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
});
afterEach(() => fixture.remove());

test('a clean worktree is removed with its branch and can be opened anew', async () => {
  const before = fixture.sourceState();
  const { path } = await runner.openWorktree(fixture.opening());
  expect(await runner.closeWorktree(fixture.ref(), { discard: false })).toEqual({
    removed: true,
    reason: null,
  });
  expect(existsSync(path)).toBe(false);
  expect(fixture.git('branch', '--list', 'control-center/*')).toBe('');
  expect(fixture.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(fixture.sourceState()).toEqual(before);
  expect(await runner.closeWorktree(fixture.ref(), { discard: false })).toEqual({
    removed: true,
    reason: null,
  });
  expect((await runner.openWorktree(fixture.opening())).path).toBe(path);
});

test('uncommitted work is kept unless it is to be discarded', async () => {
  const { path } = await runner.openWorktree(fixture.opening());
  await runner.writeFile(fixture.ref(), { path: 'draft.txt', content: 'x' });
  const kept = await runner.closeWorktree(fixture.ref(), { discard: false });
  expect(kept).toEqual({
    removed: false,
    reason: expect.stringMatching(/1 uncommitted file\(s\), draft\.txt/),
  });
  expect(existsSync(path)).toBe(true);
  expect(await runner.closeWorktree(fixture.ref(), { discard: true })).toMatchObject({ removed: true });
  expect(existsSync(path)).toBe(false);
});

test('unmerged commits are kept until another branch holds them', async () => {
  await runner.openWorktree(fixture.opening());
  await runner.writeFile(fixture.ref(), { path: 'work.txt', content: 'x' });
  const { commit } = await runner.commit(fixture.ref(), {
    message: 'Work',
    author,
    coAuthor: null,
    key: 'k',
  });
  const kept = await runner.closeWorktree(fixture.ref(), { discard: false });
  expect(kept).toEqual({
    removed: false,
    reason: expect.stringContaining(`1 unmerged commit(s) up to ${commit}`),
  });
  fixture.git('branch', 'saved', commit ?? '');
  expect(await runner.closeWorktree(fixture.ref(), { discard: false })).toEqual({
    removed: true,
    reason: null,
  });
  expect(fixture.git('rev-parse', 'saved')).toBe(commit ?? '');
});

test('unmerged commits are kept when the folder is gone, and a broken worktree can be discarded', async () => {
  const { path } = await runner.openWorktree(fixture.opening());
  await runner.writeFile(fixture.ref(), { path: 'work.txt', content: 'x' });
  await runner.commit(fixture.ref(), { message: 'Work', author, coAuthor: null, key: 'k' });
  rmSync(path, { recursive: true });
  expect(await runner.closeWorktree(fixture.ref(), { discard: false })).toMatchObject({ removed: false });
  expect(await runner.closeWorktree(fixture.ref(), { discard: true })).toMatchObject({ removed: true });
  expect(fixture.git('fsck', '--no-dangling')).toBe('');
});
