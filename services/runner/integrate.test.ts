import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
const branch = 'control-center/result';
const asked = (merge: string[], key: string) => ({
  workspaceId: 'ws',
  source: fixture.source,
  branch,
  base: 'main',
  merge,
  author: { name: 'Builder', email: 'builder@agents.example' },
  key,
});

beforeEach(async () => {
  fixture = await createFixture({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await fixture.commitTo('one', 'main', { 'a.txt': 'one\n' });
  await fixture.commitTo('two', 'main', { 'a.txt': 'two\n' });
  await fixture.commitTo('three', 'main', { 'b.txt': 'three\n' });
});
afterEach(() => fixture.remove());

const parents = (commit: string) => fixture.git('show', '-s', '--format=%P', commit).split(' ');

test('the branch holds the base and every merge that fits; conflicts are listed; the source stays', async () => {
  await Bun.write(`${fixture.source.path}/a.txt`, 'being edited');
  const before = fixture.sourceState();
  const done = await runner.integrate(asked(['one', 'two', 'three'], 'k1'));
  expect(done).toEqual({
    branch,
    head: fixture.git('rev-parse', branch),
    merged: ['one', 'three'],
    conflicts: [{ branch: 'two', files: ['a.txt'] }],
  });
  expect(parents(done.head)[1]).toBe(fixture.git('rev-parse', 'three'));
  expect(fixture.git('show', `${branch}:a.txt`)).toBe('one');
  expect(fixture.sourceState()).toEqual(before);
});

test('the same key gives the same answer, also when the branch has gone on', async () => {
  const first = await runner.integrate(asked(['one'], 'k1'));
  expect(await runner.integrate(asked(['one', 'three'], 'k1'))).toEqual(first);
  const second = await runner.integrate(asked(['three'], 'k2'));
  expect(await runner.integrate(asked(['one'], 'k1'))).toEqual(first);
  expect(fixture.git('rev-parse', branch)).toBe(second.head);
});

test('what the branch already holds stays, and what is in it is not merged again', async () => {
  const first = await runner.integrate(asked(['one'], 'k1'));
  const second = await runner.integrate(asked(['one', 'three'], 'k2'));
  expect(parents(second.head)).toEqual([first.head, fixture.git('rev-parse', 'three')]);
  expect(await runner.integrate(asked(['one', 'three'], 'k3'))).toMatchObject({ head: second.head });
});

test('calls at once on one branch lose none of the merges', async () => {
  await Promise.all(['one', 'three'].map((name) => runner.integrate(asked([name], name))));
  expect(fixture.git('branch', '--format=%(refname:short)', '--merged', branch).split('\n')).toEqual(
    expect.arrayContaining(['one', 'three']),
  );
});

test('an unknown branch, a branch that is not ours and one that is checked out are refused', async () => {
  await expect(runner.integrate(asked(['nowhere'], 'k'))).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(runner.integrate({ ...asked([], 'k'), branch: 'main' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await runner.openWorktree(fixture.opening());
  await expect(
    runner.integrate({ ...asked(['one'], 'k'), branch: 'control-center/c1' }),
  ).rejects.toMatchObject({ code: 'conflict' });
});
