import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CCTL, cctlEnvironment, runCctl } from './testing/run-cctl.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cctl-explain-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function explain(command: string, ...options: string[]) {
  const args = ['guardrails', 'explain', '--command', command, '--json', ...options];
  const ran = await runCctl(args, {}, directory);
  expect([command, ran.exitCode, ran.stderr]).toEqual([command, 0, '']);
  return JSON.parse(ran.stdout);
}

test('a line is explained without a server, whatever is decided', async () => {
  const push = await explain('git push origin main');
  for (const name of ['command', 'decision', 'classes', 'rule', 'reason', 'findings', 'understood'])
    expect(push).toHaveProperty(name);
  expect(push).toMatchObject({
    ...{ command: 'git push origin main', decision: 'ask', understood: true },
    rule: { kind: 'default', effect: 'git_push', action: 'ask' },
  });
  expect(push.classes).toContain('git_push');
  expect(await explain('git status')).toMatchObject({ decision: 'allow', understood: true });
  expect(await explain('echo "')).toMatchObject({ decision: 'ask', understood: false });
});

test('mode, autonomy, rules and worktree decide', async () => {
  await writeFile(join(directory, 'rules.json'), JSON.stringify([{ effect: 'git_push', action: 'deny' }]));
  expect(await explain('git push', '--mode', 'plan')).toMatchObject({
    ...{ decision: 'deny', rule: { kind: 'mode', mode: 'plan' } },
  });
  expect(await explain('git push', '--autonomy', 'actFreely')).toMatchObject({ decision: 'allow' });
  expect(await explain('git push', '--rules', 'rules.json', '--autonomy', 'actFreely')).toMatchObject({
    ...{ decision: 'deny', rule: { kind: 'rule', id: '[0]', effect: 'git_push' } },
  });
  const write = `echo a > ${directory}/a.txt`;
  expect((await explain(write)).classes).not.toContain('write_outside_worktree');
  expect((await explain(write, '--worktree', '/elsewhere')).classes).toContain('write_outside_worktree');
});

test('people are told what would happen, by what, and why', async () => {
  const args = ['guardrails', 'explain', '--command', 'a && git push'];
  const { stdout, exitCode } = await runCctl(args, {}, directory);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ask +a && git push\neffects .*git_push/);
  expect(stdout).toContain('default: ask git_push');
});

test('what has every effect for one reason says the reason once', async () => {
  const { stdout } = await runCctl(['guardrails', 'explain', '--command', 'ls \u001b[1m'], {}, directory);
  expect(stdout).toMatch(/secret_access need a person's approval/);
  expect(stdout.match(/So it may do anything/g)).toHaveLength(1);
});

test('each line of stdin is answered by one line, at once and in order, whatever bytes it holds', async () => {
  const child = Bun.spawn([process.execPath, CCTL, 'guardrails', 'explain', '--stdin'], {
    ...{ env: cctlEnvironment(), cwd: directory, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream() as never).getReader();
  child.stdin.write('git status\n');
  await child.stdin.flush();
  const { value } = await reader.read();
  expect(JSON.parse(String(value))).toMatchObject({ command: 'git status', decision: 'allow' });
  const bytes = Buffer.concat([Buffer.from('\n'), Buffer.of(0xff, 0x00, 0x0a), Buffer.from('git push')]);
  child.stdin.write(bytes);
  await child.stdin.end();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest += String(read.value);
  const answers = rest
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ command, decision }) => [command, decision])).toEqual([
    ['', 'allow'],
    ['\ufffd\u0000', 'ask'],
    ['git push', 'ask'],
  ]);
  expect([await child.exited, await child.stderr.text()]).toEqual([0, '']);
});

test('thousands of lines take a second, and whoever stops reading ends it', async () => {
  const lines = Array.from(
    { length: 4_000 },
    (_, i) => `git commit -m "change ${i}" && npm test | tee out-${i}.txt`,
  );
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, CCTL, 'guardrails', 'explain', '--stdin'], {
    ...{ env: cctlEnvironment(), cwd: directory, stdout: 'pipe', stderr: 'pipe' },
    stdin: new Blob([`${lines.join('\n')}\n`]),
  });
  const answers = (await child.stdout.text()).trimEnd().split('\n');
  expect(answers.map((answer) => JSON.parse(answer).command)).toEqual(lines);
  // Starting and a machine that is busy with other tests are in it.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  const endless = `yes 'git status' | "$0" "$1" guardrails explain --stdin | head -1`;
  const piped = Bun.spawn(['sh', '-c', endless, process.execPath, CCTL], {
    ...{ env: cctlEnvironment(), cwd: directory, stdout: 'pipe', stderr: 'pipe' },
  });
  expect((await piped.stdout.text()).split('\n').length).toBe(2);
  expect([await piped.exited, await piped.stderr.text()]).toEqual([0, '']);
}, 30_000);
