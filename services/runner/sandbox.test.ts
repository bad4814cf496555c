import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';
import type { RunCommand } from './runner.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;

function run(command: string, more: Partial<RunCommand> = {}) {
  return runner.runCommand(fixture.ref(), { command, timeoutMs: 20_000, readOnly: false, ...more });
}

const reason = await whyNoSandbox();
if (reason !== null) process.stderr.write(`skipped: the sandbox: ${reason}\n`);
// In CI they run all the same, and fail: a sandbox that is not tested must not look like one that holds.
const sandboxTest = test.skipIf(reason !== null && !process.env.CI);

async function whyNoSandbox(): Promise<string | null> {
  const { dataDir, remove } = await createFixture();
  const probed = createEmbeddedRunner({ dataDir });
  const { sandbox } = await probed.probe();
  await probed.close();
  remove();
  return sandbox.backend === null ? (sandbox.reason ?? 'no backend here') : null;
}

beforeEach(async () => {
  fixture = await createFixture({ 'a.txt': 'a\n' });
  fixture.git('remote', 'add', 'origin', 'https://ada:ghp_secret@example.org/app.git');
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.openWorktree(fixture.opening());
});
afterEach(async () => {
  await runner.close();
  fixture.remove();
});

sandboxTest('read-only really prevents writes', async () => {
  const attempts = [
    'echo x > a.txt',
    'touch new',
    'rm a.txt',
    'git commit --allow-empty -qm x',
    'mount -o remount,rw,bind "$PWD"',
    'unshare -rm mount -o remount,rw,bind "$PWD"',
  ];
  for (const attempt of attempts) {
    const done = await run(attempt, { readOnly: true });
    expect([attempt, done.exitCode === 0]).toEqual([attempt, false]);
  }
  expect(await runner.gitStatus(fixture.ref())).toMatchObject({ dirty: [] });
  expect(
    await run('git status --short && git log --oneline | wc -l && git diff', { readOnly: true }),
  ).toMatchObject({
    exitCode: 0,
    output: '1\n',
  });
});

sandboxTest('the server’s data, other conversations, homes and keys are not there', async () => {
  await runner.openWorktree(fixture.opening('c2'));
  await runner.writeFile(fixture.ref('c2'), { path: 'theirs.txt', content: 'theirs' });
  await mkdir(join(fixture.dataDir, 'secrets'));
  await Bun.write(join(fixture.dataDir, 'secrets', 'key'), 'sk-hidden');
  const paths = [
    join(fixture.dataDir, 'secrets/key'),
    join(fixture.dataDir, 'workspaces/ws/worktrees/c2'),
    join(fixture.source.path, 'a.txt'),
    '/root/.',
    '/home/.ssh',
  ];
  for (const path of paths) expect(await run(`cat ${path} || ls ${path}`)).toMatchObject({ exitCode: 2 });
  const shadow = await run('cat /etc/shadow; cat $(git rev-parse --git-common-dir)/config');
  expect(shadow.output).not.toContain('root:');
  expect(shadow.output).toContain('https://example.org/app.git');
  expect(shadow.output).not.toContain('ghp_secret');
});

sandboxTest('more of the host can be shown, and some of it hidden again', async () => {
  await Bun.write(join(fixture.root, 'tools', 'tool'), 'tool');
  await Bun.write(join(fixture.root, 'tools', 'key'), 'key');
  const [tools, key] = [join(fixture.root, 'tools'), join(fixture.root, 'tools', 'key')];
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir, readable: [tools], hidden: [key] });
  expect(await run(`cat ${tools}/tool; cat ${key}; echo x > ${tools}/new`)).toMatchObject({
    output: expect.stringMatching(/^tool.*Read-only/s),
  });
  expect((await run(`cat ${key}`)).output).not.toBe('key');
});

sandboxTest('the source repository cannot be harmed from a writable worktree', async () => {
  await run('echo x > x && git add x && git commit -qm work');
  const before = fixture.sourceState();
  const d = '$(git rev-parse --git-common-dir)';
  const attempts = [
    `git update-ref refs/heads/main $(git commit-tree -m evil HEAD^{tree})`,
    `echo "[core]\n fsmonitor = touch /tmp/x" >> ${d}/config`,
    `printf x > ${d}/hooks/post-commit`,
    `git config core.hooksPath /tmp`,
    `echo 'gitdir: /tmp' > .git`,
    `rm -rf ${d}/hooks ${d}/objects/* ${d}/refs ${d}/HEAD`,
    `rm -rf ${d}`,
  ];
  for (const attempt of attempts) {
    await run(attempt);
    expect([attempt, fixture.sourceState()]).toEqual([attempt, before]);
  }
  expect(await run('git log --format=%s -1')).toMatchObject({ output: 'work\n' });
});

sandboxTest('a nested repository in the worktree runs no program outside the sandbox', async () => {
  const trace = join(fixture.root, 'ran');
  await run(
    `git init -q nested && cd nested && git commit -q --allow-empty -m x && git config core.fsmonitor "touch ${trace}" && git config filter.x.clean "touch ${trace}; cat" && echo "* filter=x" > .gitattributes && echo x > f && cd .. && git add nested 2>/dev/null; echo y >> nested/f`,
  );
  const author = { name: 'Bot', email: 'bot@example.org' };
  await runner.commit(fixture.ref(), { message: 'x', author, coAuthor: null, key: 'k' });
  await runner.gitStatus(fixture.ref());
  await runner.gitDiff(fixture.ref(), {});
  await run('true');
  expect(existsSync(trace)).toBe(false);
});

sandboxTest('planted objects and links are not taken over', async () => {
  const secret = join(fixture.root, 'secret');
  await Bun.write(secret, 'hidden');
  const o = '$(git rev-parse --git-common-dir)/objects';
  const planted = `mkdir -p ${o}/ab ${o}/cd; ln -s ${secret} ${o}/ab/${'c'.repeat(38)}`;
  expect(await run(`${planted}; echo /tmp > ${o}/info/alternates`)).toMatchObject({ exitCode: 1 });
  const junk = run(`echo junk > ${o}/cd/${'c'.repeat(38)}`);
  await expect(junk).rejects.toMatchObject({ code: 'git_failed' });
  expect(await run('git status --short')).toMatchObject({ exitCode: 0, output: '' });
  expect(fixture.git('fsck', '--strict')).toBe('');
});
