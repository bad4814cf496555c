import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelScript } from '../../test/model/script.ts';
import { CCTL, cctlEnvironment, runCctl } from './testing/run-cctl.ts';
import { createServerStage, type ServerStage } from './testing/served.ts';

/** `cctl` against the real server, which it starts itself or by `cctl serve`. */

const script: ModelScript = {
  name: 'one answer and one question',
  dialogues: [
    {
      name: 'asks first',
      when: { user: /which colour/i },
      turns: [
        { tools: [{ name: 'ask_user', input: { question: 'Red or blue?', choices: ['red', 'blue'] } }] },
        { text: 'Then it shall be as you say.' },
      ],
    },
    {
      name: 'wants out of plan mode',
      when: { user: /let me work/i },
      turns: [
        { tools: [{ name: 'exit_plan_mode', input: { summary: 'The plan is made.' } }] },
        { tools: [{ name: 'ask_user', input: { question: 'Shall I wait?' } }] },
        { text: 'I waited.' },
      ],
    },
  ],
  otherwise: { text: 'Forty-two.' },
};

let stage: ServerStage;
let home = '';
let env: Record<string, string> = {};

beforeAll(() => {
  stage = createServerStage(script);
  ({ home, env } = stage);
});
afterEach(() => stage.killAll());
afterAll(() => stage.remove());

const ANYWHERE = ['--url', 'http://127.0.0.1:0'];

test('ask alone is enough: it starts a server, shows the token once and answers', async () => {
  const ask = ['ask', 'What is it?', '--mode', 'chat', '--no-repo', ...ANYWHERE];
  const first = await runCctl(ask, env);
  expect([first.exitCode, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^Forty-two\.\n\nCost \$0\.\d+\n$/),
  ]);
  expect(first.stderr).toContain('Your token, shown this once: ');
  expect(first.stderr).toContain(`It is kept in ${join(home, 'data', 'owner-token')}`);
  expect(statSync(join(home, 'data', 'owner-token')).mode & 0o777).toBe(0o600);
  const second = await runCctl(ask, env);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).not.toContain('token');
}, 60_000);

test('ask goes to the only workspace there is, whatever its name', async () => {
  const other = createServerStage(script);
  try {
    const served = await other.serve();
    await served.cctl('workspace', 'create', 'Shop');
    const ask = ['ask', 'What is it?', '--mode', 'chat', '--no-repo'];
    expect((await served.cctl(...ask)).exitCode).toBe(0);
    const { items } = JSON.parse((await served.cctl('workspace', 'list', '--json')).stdout);
    expect(items).toEqual([expect.objectContaining({ name: 'Shop' })]);
  } finally {
    await other.killAll();
    await other.remove();
  }
}, 60_000);

test('serve on a free port says what other commands find it with, and where the token is kept', async () => {
  const child = Bun.spawn([process.execPath, CCTL, 'serve'], {
    ...{ env: cctlEnvironment(env), stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  });
  try {
    const { value } = await child.stdout.getReader().read();
    const said = new TextDecoder().decode(value);
    const url = /answers at (\S+)/.exec(said)?.[1];
    expect(said).toContain(`Other commands find it with: export CONTROL_CENTER_URL=${url}\n`);
    expect((await runCctl(['agents'], { ...env, CONTROL_CENTER_URL: url ?? '' })).exitCode).toBe(0);
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}, 60_000);

test('serve says where it is, refuses a port in use, and ends in good order', async () => {
  const served = await stage.serve();
  const port = new URL(served.url).port;
  const refused = await runCctl(['serve', '--port', port, '--data', join(home, 'second')], env);
  expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(new RegExp(`^error: Port ${port} of 127.0.0.1 is in use\\..*\\n$`));
  expect(await served.stop()).toBe(0);
}, 60_000);

test('a configuration that is not valid is one line and status 2', async () => {
  const ran = await runCctl(['serve'], {
    ...env,
    CONTROL_CENTER_CONCURRENCY: '0',
    CONTROL_CENTER_LOG: 'loud',
  });
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain('CONTROL_CENTER_CONCURRENCY');
  expect(ran.stderr).toContain('CONTROL_CENTER_LOG');
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
});

test('a question that nobody is there for is answered from another terminal, and the job goes on', async () => {
  const served = await stage.serve();
  const url = ['--url', served.url];
  const asking = runCctl(['ask', 'Which colour?', '--mode', 'chat', '--no-repo', ...url], env);
  const id = await questionId(url);
  expect((await runCctl(['decide', id, 'approve', '--answer', 'blue', ...url], env)).exitCode).toBe(0);
  const again = await runCctl(['decide', id, 'refuse', ...url, '--json'], env);
  expect([again.exitCode, JSON.parse(again.stderr).code]).toEqual([1, 'already_decided']);
  const asked = await asking;
  expect([asked.exitCode, asked.stdout]).toEqual([
    0,
    expect.stringContaining('Then it shall be as you say.'),
  ]);
  expect(asked.stderr).toContain(`cctl decide ${id} approve --answer TEXT`);
  expect(await served.stop()).toBe(0);
}, 60_000);

test('a question that nobody answers ends a headless ask within its limit, and can be answered after', async () => {
  const served = await stage.serve();
  const url = ['--url', served.url];
  const startedAt = performance.now();
  const ask = ['ask', 'Which colour?', '--mode', 'chat', '--no-repo', '--wait', '1', '--json', ...url];
  const ran = await runCctl(ask, env);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(ran.exitCode).toBe(3);
  const { end, waitsFor, run } = JSON.parse(ran.stdout);
  expect([end, waitsFor.map(({ kind }: { kind: string }) => kind)]).toEqual(['waiting', ['question']]);
  const [how] = waitsFor[0].commands;
  const decide = how.replace('TEXT', 'blue').split(' ').slice(1);
  expect((await runCctl([...decide, ...url], env)).exitCode).toBe(0);
  const shown = await runCctl(['runs', 'show', run.id, ...url], env);
  expect([shown.exitCode, shown.stdout]).toEqual([0, expect.stringContaining('Which colour?')]);
  expect(await served.stop()).toBe(0);
}, 60_000);

test('what waits when a headless ask ran the server itself says that a server comes first', async () => {
  const ask = ['ask', 'Let me work', '--mode', 'plan', '--no-repo', '--wait', '0', ...ANYWHERE];
  const ran = await runCctl(ask, env);
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toContain('Leaving plan mode: ');
  expect(ran.stderr).toMatch(/cctl decide apr_\w+ changes --reason TEXT/);
  expect(ran.stderr).toContain('start one first with `cctl serve`');
}, 60_000);

/** Looks until the question is there. */
async function questionId(url: string[]): Promise<string> {
  for (let look = 0; look < 50; look++) {
    const { stdout } = await runCctl(['inbox', '--json', ...url], env);
    const id = JSON.parse(stdout).items[0]?.approval.id;
    if (id) return id;
  }
  throw new Error('No question came.');
}

test('doctor names what is missing and how to get it, and is content with a model and its price', async () => {
  const content = await runCctl(['doctor', '--json'], env);
  expect([content.exitCode, JSON.parse(content.stdout).ok]).toEqual([0, true]);
  const missing = await runCctl(['doctor'], { ...env, CONTROL_CENTER_DATA: join(home, 'other') });
  expect(missing.exitCode).toBe(1);
  expect(missing.stdout).toMatch(/missing {2}model .*no key and no server\n.*Set ANTHROPIC_API_KEY/);
  const noFolder = join(home, 'no-folder');
  writeFileSync(noFolder, '');
  const { stdout } = await runCctl(['doctor'], { ...env, CONTROL_CENTER_DATA: noFolder });
  expect(stdout).toContain(`has to be a folder that this user may write to: ${noFolder} is none`);
}, 30_000);

test('ask without a model to ask says so before it starts anything', async () => {
  const dataDir = join(home, 'no-model');
  const without = { ...env, CONTROL_CENTER_DATA: dataDir, ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
  const ran = await runCctl(['ask', 'Anything', '--no-repo', ...ANYWHERE], without);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain('No model can be used');
  expect(ran.stderr).toContain('ANTHROPIC_API_KEY');
  expect(existsSync(dataDir)).toBe(false);
});
