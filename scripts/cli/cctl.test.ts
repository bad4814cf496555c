import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeServer, type FakeState, startFakeServer, TOKEN } from './testing/fake-server.ts';
import { CCTL, cctlEnvironment, runCctl } from './testing/run-cctl.ts';
import { sampleApproval, sampleOrchestration, sampleRun, sampleStep } from './testing/sample.ts';

let repository = '';
let server: FakeServer | null = null;

beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'cctl-test-'));
  Bun.spawnSync(['git', 'init', '-q', repository]);
});
afterEach(() => server?.kill());
afterAll(() => rm(repository, { recursive: true, force: true }));

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const FREE = 'http://127.0.0.1:1';
const orchestration = sampleOrchestration();

test.each([
  [['approve'], "missing required argument 'id'"],
  [['aprove', 'x'], "unknown command 'aprove' (Did you mean approve?)"],
  [['inbox', '--nope'], "unknown option '--nope'"],
  [['decide', 'apr_1', 'maybe'], "'maybe' is no <decision>. Allowed choices are"],
  [['reject', 'orc_1'], "required option '--reason <text>' not specified"],
  [['serve', '--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
  [['ask', 'go', '--mode', 'review'], "option '--mode <mode>' argument 'review' is invalid"],
  [['ask', 'go', '--timeout', '0'], '--timeout must be a whole number from 1'],
  [['inbox', '--url', 'ftp://x'], '"ftp://x" is no http or https URL.'],
  [['ask', ' ', '--no-repo'], 'The goal is empty'],
])('%j is wrong usage: one line, status 2', async (args, message) => {
  const ran = await runCctl(args);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toStartWith('error: ');
  expect(ran.stderr).toContain(message);
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
  expect(ran.stdout).toBe('');
});

test('with --json an error is one problem document on stderr, and stdout stays empty', async () => {
  const ran = await runCctl(['inbox', '--json', '--url', FREE]);
  expect(ran.exitCode).toBe(4);
  expect(JSON.parse(ran.stderr)).toMatchObject({
    code: 'unreachable',
    retryable: true,
    errors: { url: FREE },
  });
  expect(ran.stdout).toBe('');
});

test('--help documents the exit statuses', async () => {
  const ran = await runCctl(['--help']);
  expect(ran.exitCode).toBe(0);
  for (const line of ['0    done', '3    needs a person', '4    the server', '130  interrupted']) {
    expect(ran.stdout).toContain(line);
  }
});

test('without a token the server is not asked for anything', async () => {
  const { url } = start();
  const ran = await runCctl(['inbox', '--url', url], { CONTROL_CENTER_TOKEN: '' });
  expect([ran.exitCode, ran.stderr]).toEqual([3, expect.stringContaining('set CONTROL_CENTER_TOKEN')]);
});

test('a token that the server does not know needs a person', async () => {
  const { url } = start();
  const ran = await runCctl(['inbox', '--url', url, '--json'], { CONTROL_CENTER_TOKEN: 'wrong' });
  expect(ran.exitCode).toBe(3);
  expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'unauthenticated', status: 401 });
  expect(ran.stderr + ran.stdout).not.toContain(TOKEN);
});

test('the inbox lists what is pending, as a table and as JSON', async () => {
  const approvals = [sampleApproval(), sampleApproval({ id: 'apr_2', status: 'approved' })];
  const { url } = start({ approvals });
  const human = await runCctl(['inbox', '--url', url]);
  expect(human.stdout).toContain('question  default');
  expect(human.stdout).toContain('ceo    Shop   Which port?');
  expect(human.stdout).not.toContain('\u001b');
  const machine = await runCctl(['inbox', '--url', url, '--json']);
  expect(JSON.parse(machine.stdout).items).toEqual([
    {
      workspaceId: expect.any(String),
      workspace: 'default',
      approval: { ...sampleApproval(), agentName: 'ceo', spaceName: 'Shop', ageMs: 60_000 },
    },
  ]);
});

test('a question needs an answer, and the answer goes with the digest of what was read', async () => {
  const fake = start({ approvals: [sampleApproval()] });
  const { id } = sampleApproval();
  const without = await runCctl(['decide', id, 'approve', '--url', fake.url]);
  expect([without.exitCode, fake.state.writes]).toEqual([2, []]);
  const ran = await runCctl(['decide', id, 'approve', '--answer', '8080', '--url', fake.url]);
  expect(ran.exitCode).toBe(0);
  expect(fake.state.writes.map(({ body }) => body)).toEqual([
    { decision: 'approved', digest: 'd1', answer: '8080' },
  ]);
});

test('approve takes the revision given, and refuses a token that is not a person’s', async () => {
  const fake = start({ orchestrations: [orchestration] });
  const ran = await runCctl(['approve', orchestration.id, '--revision', '7', '--url', fake.url]);
  expect(ran.exitCode).toBe(0);
  expect(fake.state.writes.map(({ body }) => body)).toEqual([{ revision: 7 }]);
  fake.state.actor = 'agent:agt_0000000000000000000001';
  const refused = await runCctl(['approve', orchestration.id, '--url', fake.url, '--json']);
  expect([refused.exitCode, JSON.parse(refused.stderr).code]).toEqual([3, 'people_only']);
  expect(fake.state.writes.length).toBe(1);
});

test('approve and approve-deferred take the keys of sub-tickets; without any, the latter takes all that is deferred', async () => {
  const executing = sampleOrchestration({ status: 'executing', deferred: ['docs', 'tests'] });
  const fake = start({ orchestrations: [executing] });
  const run = (...args: string[]) => runCctl([...args, '--url', fake.url]);
  const { id } = executing;
  const approved = await run('approve', id, '--tickets', 'api, docs,api');
  expect(approved.stdout).toContain(`Approved api, docs of revision 1 of ${id}.`);
  expect(approved.stdout).toContain(`cctl approve-deferred ${id}`);
  await run('approve-deferred', id, '--tickets', 'docs');
  await run('approve-deferred', id);
  const bodies = [
    { revision: 1, tickets: ['api', 'docs'] },
    { tickets: ['docs'] },
    { tickets: ['docs', 'tests'] },
  ];
  expect(fake.state.writes.map(({ body }) => body)).toEqual(bodies);
  expect(fake.state.writes.map(({ path }) => path.split('/').at(-1))).toEqual([
    ...['approve', 'approve-deferred', 'approve-deferred'],
  ]);
  const none = await run('approve', id, '--tickets', ' , ');
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('names no sub-ticket')]);
  expect((await run('orchestrations')).stdout).toContain('executing, 2 deferred');
  fake.state.orchestrations = [sampleOrchestration({ status: 'completed' })];
  const late = await run('approve-deferred', id);
  expect([late.exitCode, late.stderr]).toEqual([
    1,
    `error: Nothing of ${id} is deferred; it is completed.\n`,
  ]);
});

test('an id that is nowhere is not found', async () => {
  const { url } = start();
  const ran = await runCctl(['cancel', 'orc_none', '--url', url]);
  expect([ran.exitCode, ran.stderr]).toEqual([
    1,
    'error: There is no orchestration or plan "orc_none" in any workspace. List them with `cctl orchestrations`.\n',
  ]);
});

test('runs and orchestrations are listed newest first, unknown cost as unknown', async () => {
  const runs = [sampleRun({ createdAt: 1 }), sampleRun({ id: 'run_new', createdAt: 2, costMicros: null })];
  const { url } = start({ runs, orchestrations: [orchestration] });
  const listed = await runCctl(['runs', '--url', url]);
  const [, first, second] = listed.stdout.split('\n');
  expect(first).toStartWith('run_new');
  expect(first).toContain('unknown');
  expect(second).toContain('$0.001500');
  const shown = await runCctl(['runs', 'show', 'run_new', '--json', '--url', url]);
  expect(JSON.parse(shown.stdout).run.tools).toEqual(['read_file', 'ask_user']);
  const orchestrations = await runCctl(['orchestrations', '--url', url]);
  expect(orchestrations.stdout).toContain(orchestration.id);
});

/** The agent proposes at once; an approval completes the work. */
const proposing: Partial<FakeState> = {
  onWrite(write, fake) {
    if (write.path.endsWith('/messages')) {
      fake.state.runs = [sampleRun()];
      fake.state.orchestrations = [sampleOrchestration()];
      fake.emit('orchestration.proposed', orchestration.id, {
        runId: sampleRun().id,
        m: 'msg_0000000000000000000001',
      });
    }
    if (!write.path.endsWith('/approve')) return;
    const steps = [sampleStep({ state: 'done', startedAt: 0, endedAt: 1_000 })];
    fake.state.orchestrations = [
      sampleOrchestration({ status: 'completed', deliverable: 'Done.', gaps: [], steps }),
    ];
    fake.emit('orchestration.completed', orchestration.id);
  },
};

test('ask --yes goes from goal to deliverable: one JSON document, progress as events on stderr', async () => {
  const { url, state } = start(proposing);
  const ran = await runCctl(['ask', 'Add', 'it', '--yes', '--json', '--url', url], {}, repository);
  expect(ran.exitCode).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    end: 'completed',
    orchestration: { deliverable: 'Done.' },
    steps: [{ key: 'ticket/api' }],
  });
  const events = ran.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events.map(({ type }) => type)).toEqual(['started', 'event', 'proposal', 'event']);
  expect(state.writes.find(({ path }) => path === '/spaces')?.body).toMatchObject({
    name: 'Add it',
    mode: 'orchestrate',
    repositories: [{ path: repository }],
  });
});

test('ask --yes prints the proposal, the steps and the deliverable for people', async () => {
  const { url } = start(proposing);
  const ran = await runCctl(['ask', 'Add it', '--yes', '--url', url], {}, repository);
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toContain('Budget    $5.00');
  expect(ran.stderr).toContain('Approved by --yes.');
  expect(ran.stdout).toContain('Deliverable\nDone.');
  expect(ran.stdout).toContain('✓  ticket/api');
});

test('ask --yes with an agent’s token refuses before anything is posted', async () => {
  const { url, state } = start({ ...proposing, actor: 'agent:agt_0000000000000000000001' });
  const ran = await runCctl(['ask', 'Add it', '--yes', '--url', url], {}, repository);
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toContain("--yes needs a person's token");
  expect(state.writes).toEqual([]);
});

test('ask without a terminal and without --yes leaves the proposal waiting and says how to go on', async () => {
  const { url, state } = start(proposing);
  const ran = await runCctl(['ask', 'Add it', '--url', url], {}, repository);
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toContain(`cctl approve ${orchestration.id}`);
  expect(state.writes.some(({ path }) => path.endsWith('/approve'))).toBe(false);
});

test('ask outside a repository says so', async () => {
  const { url } = start();
  const ran = await runCctl(['ask', 'Add it', '--url', url], {}, tmpdir());
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('--no-repo')]);
});

test('follow of a failed orchestration exits 1 with its reason', async () => {
  const failure = { code: 'pipeline_failed', message: 'synthesis failed' };
  const { url } = start({ orchestrations: [sampleOrchestration({ status: 'failed', failure })] });
  const ran = await runCctl(['follow', orchestration.id, '--url', url]);
  expect([ran.exitCode, ran.stdout]).toEqual([
    1,
    expect.stringContaining('(pipeline_failed): synthesis failed'),
  ]);
});

test('Ctrl-C detaches and says how to follow again', async () => {
  const steps = [sampleStep({ state: 'running', startedAt: 0 })];
  const { url } = start({ orchestrations: [sampleOrchestration({ status: 'executing', steps })] });
  const child = Bun.spawn([process.execPath, CCTL, 'follow', orchestration.id, '--json', '--url', url], {
    env: cctlEnvironment(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const reader = child.stderr.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"started"');
  child.kill('SIGINT');
  expect(await child.exited).toBe(130);
  expect(JSON.parse(await child.stdout.text())).toMatchObject({ end: 'detached' });
});
