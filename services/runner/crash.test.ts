import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
const author = { name: 'Bot', email: 'bot@example.org' };

beforeEach(async () => {
  fixture = await createFixture({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
});
afterEach(() => fixture.remove());

/** Runs `call` (an expression on `runner`) in a server process of its own; at `point` it is killed with SIGKILL. */
async function crash(call: string, point: string): Promise<void> {
  const code = `
    const { createEmbeddedRunner } = await import(${JSON.stringify(join(import.meta.dir, 'embedded.ts'))});
    const onPoint = (name) => name === ${JSON.stringify(point)} && process.kill(process.pid, 'SIGKILL');
    const runner = createEmbeddedRunner({ dataDir: ${JSON.stringify(fixture.dataDir)}, onPoint });
    await ${call};`;
  const server = Bun.spawn([process.execPath, '-e', code], { stdout: 'ignore', stderr: 'pipe' });
  await server.exited;
  expect([await server.stderr.text(), server.signalCode]).toEqual(['', 'SIGKILL']);
}

function openAgain(): EmbeddedRunner {
  return createEmbeddedRunner({ dataDir: fixture.dataDir });
}

for (const point of ['before', 'made', 'after']) {
  test(`opening is completed after a crash at worktree:${point}, from the base first decided`, async () => {
    const base = fixture.git('rev-parse', 'main');
    await fixture.commitTo('one', 'main', { 'a.txt': 'one\n' });
    const before = fixture.sourceState();
    const opening = fixture.opening('c1', { base: 'moving', merge: ['one'] });
    fixture.git('update-ref', 'refs/heads/moving', base);
    await crash(`runner.openWorktree(${JSON.stringify(opening)})`, `runner.worktree:${point}`);
    fixture.git('update-ref', 'refs/heads/moving', 'one');
    const opened = await openAgain().openWorktree(opening);
    expect(opened).toMatchObject({ base, merged: ['one'], conflicts: [] });
    expect(await Bun.file(join(opened.path, 'a.txt')).text()).toBe('one\n');
    expect(await openAgain().gitStatus(fixture.ref())).toMatchObject({ head: opened.head, dirty: [] });
    expect(readdirSync(join(fixture.source.path, '.git/worktrees'))).toHaveLength(1);
    fixture.git('update-ref', '-d', 'refs/heads/moving');
    expect(fixture.sourceState()).toEqual(before);
  });
}

for (const point of ['before', 'after']) {
  test(`a commit happens once after a crash at commit:${point}`, async () => {
    const runner = openAgain();
    await runner.openWorktree(fixture.opening());
    await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
    const work = { message: 'Work', author, coAuthor: null, key: 'run_1/call_1' };
    await crash(
      `runner.commit(${JSON.stringify(fixture.ref())}, ${JSON.stringify(work)})`,
      `runner.commit:${point}`,
    );
    const { commit, files } = await openAgain().commit(fixture.ref(), work);
    expect(files).toBe(1);
    expect(fixture.git('rev-list', 'main..control-center/c1')).toBe(commit ?? '');
    expect(await openAgain().gitStatus(fixture.ref())).toMatchObject({ head: commit ?? '', dirty: [] });
  });

  test(`branches are integrated once after a crash at integrate:${point}`, async () => {
    await fixture.commitTo('one', 'main', { 'a.txt': 'one\n' });
    await fixture.commitTo('two', 'main', { 'a.txt': 'two\n' });
    const asked = {
      workspaceId: 'ws',
      source: fixture.source,
      branch: 'control-center/result',
      base: 'main',
      merge: ['one', 'two'],
      author,
      key: 'k',
    };
    const before = fixture.sourceState();
    await crash(`runner.integrate(${JSON.stringify(asked)})`, `runner.integrate:${point}`);
    const done = await openAgain().integrate(asked);
    expect(done).toMatchObject({ merged: ['one'], conflicts: [{ branch: 'two', files: ['a.txt'] }] });
    expect(fixture.git('rev-parse', 'control-center/result')).toBe(done.head);
    expect(fixture.git('rev-list', '--merges', '--count', 'main..control-center/result')).toBe('1');
    expect(fixture.sourceState()).toEqual(before);
  });

  test(`a file is whole, old or new, after a crash at write:${point}`, async () => {
    await openAgain().openWorktree(fixture.opening());
    const file = { path: 'a.txt', content: 'changed\n' };
    await crash(
      `runner.writeFile(${JSON.stringify(fixture.ref())}, ${JSON.stringify(file)})`,
      `runner.write:${point}`,
    );
    const { text } = await openAgain().readFile(fixture.ref(), { path: 'a.txt' });
    expect(text).toBe(point === 'before' ? 'a\n' : 'changed\n');
    const { dirty } = await openAgain().gitStatus(fixture.ref());
    expect(dirty).toEqual(point === 'before' ? [] : ['a.txt']);
  });
}

for (const point of ['before', 'after']) {
  test(`files are put back whole by doing it again after a crash at restore:${point}`, async () => {
    const runner = openAgain();
    const { path } = await runner.openWorktree(fixture.opening());
    const kept = await runner.snapshot(fixture.ref());
    await runner.writeFile(fixture.ref(), { path: 'a.txt', content: 'changed' });
    await runner.writeFile(fixture.ref(), { path: 'new.txt', content: 'new' });
    const work = { commit: kept.commit, before: (await runner.snapshot(fixture.ref())).commit };
    const call = `runner.restoreSnapshot(${JSON.stringify(fixture.ref())}, ${JSON.stringify(work)})`;
    await crash(call, `runner.restore:${point}`);
    const { changes } = await openAgain().restoreSnapshot(fixture.ref(), work);
    expect(changes).toEqual([
      { path: 'a.txt', change: 'changed' },
      { path: 'new.txt', change: 'removed' },
    ]);
    expect([await Bun.file(join(path, 'a.txt')).text(), existsSync(join(path, 'new.txt'))]).toEqual([
      'a\n',
      false,
    ]);
  });
}

for (const point of ['closing', 'closed']) {
  test(`closing is completed after a crash at worktree:${point}`, async () => {
    const { path } = await openAgain().openWorktree(fixture.opening());
    await crash(
      `runner.closeWorktree(${JSON.stringify(fixture.ref())}, { discard: false })`,
      `runner.worktree:${point}`,
    );
    expect(await openAgain().closeWorktree(fixture.ref(), { discard: false })).toEqual({
      removed: true,
      reason: null,
    });
    expect(existsSync(path)).toBe(false);
    expect(fixture.git('branch', '--list', 'control-center/*')).toBe('');
    expect((await openAgain().openWorktree(fixture.opening())).path).toBe(path);
  });
}

for (const sandbox of ['auto', 'none']) {
  test(`commands of a killed server are ended by the next one, sandbox ${sandbox}`, async () => {
    await openAgain().openWorktree(fixture.opening());
    const seconds = `${Math.floor(Math.random() * 1e6)}54321`;
    const code = `
      const { createEmbeddedRunner } = await import(${JSON.stringify(join(import.meta.dir, 'embedded.ts'))});
      const runner = createEmbeddedRunner({ dataDir: ${JSON.stringify(fixture.dataDir)}, sandbox: '${sandbox}' });
      await runner.runCommand(${JSON.stringify(fixture.ref())}, {
        command: 'setsid -f sleep ${seconds}; echo up; sleep ${seconds}', timeoutMs: 600000, readOnly: false,
        onOutput: () => process.kill(process.pid, 'SIGKILL'),
      });`;
    await Bun.spawn([process.execPath, '-e', code]).exited;
    const next = openAgain();
    await next.runCommand(fixture.ref(), { command: 'true', timeoutMs: 9_000, readOnly: true });
    expect(Bun.spawnSync(['pgrep', '-f', '--', `sleep ${seconds}`]).stdout.toString()).toBe('');
  });
}

test('what a command committed just before its server was killed is taken over', async () => {
  await openAgain().openWorktree(fixture.opening());
  const code = `
    const { createEmbeddedRunner } = await import(${JSON.stringify(join(import.meta.dir, 'embedded.ts'))});
    const runner = createEmbeddedRunner({ dataDir: ${JSON.stringify(fixture.dataDir)} });
    await runner.runCommand(${JSON.stringify(fixture.ref())}, {
      command: 'echo x > x && git add x && git commit -qm shell && echo up; sleep 60', timeoutMs: 60000, readOnly: false,
      onOutput: () => process.kill(process.pid, 'SIGKILL'),
    });`;
  await Bun.spawn([process.execPath, '-e', code]).exited;
  await openAgain().openWorktree(fixture.opening());
  expect(fixture.git('log', '-1', '--format=%s', 'control-center/c1')).toBe('shell');
  expect(fixture.git('fsck', '--strict')).toBe('');
});
