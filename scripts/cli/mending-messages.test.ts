import { afterEach, expect, test } from 'bun:test';
import { type FakeServer, type FakeState, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleApproval, sampleRun } from './testing/sample.ts';

/** Every error is one line that says what is wrong, where, and how to mend it. */

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url]);

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';

test.each([
  [['decide'], "missing required argument 'id'. See `cctl decide --help`."],
  [['dcide'], "unknown command 'dcide' (Did you mean decide?). See `cctl --help`."],
  [['plans', 'nope'], "unknown command 'nope'. See `cctl plans --help`."],
  [['guardrails', 'rules', 'nope'], "unknown command 'nope'. See `cctl guardrails rules --help`."],
  [['runs', 'list', 'x'], 'Expected 0 arguments but got 1: x. See `cctl runs list --help`.'],
  [['runs', 'show', 'a', 'b'], 'got 2: a, b. See `cctl runs show --help`.'],
  [['inbox', 'nope'], 'See `cctl inbox --help`.'],
  [['request-changes', 'orc_1', '--reason', '  '], 'Say what is to be changed with --reason TEXT.'],
  [['reject', 'orc_1', '--reason', ''], 'Say why with --reason TEXT'],
  [['space', 'set', 'spc_1', '--mode', 'review'], 'Allowed choices are chat, plan, orchestrate.'],
  [['audit', '--export', ''], '--export names no file.'],
  [['audit', '--since', 'lately'], '--since must be a date as'],
  [['audit', '--since', '7d', '--follow'], '--since is for the list'],
  [['serve', '--data', ''], '--data names no folder.'],
  [['ask', 'Go on', '--space', 'spc_1', '--no-repo'], '--repo, --no-repo and --mode go without it.'],
  [['inbox', '--url', 'there'], '--url: "there" is no http or https URL.'],
])('%j is wrong usage, and the line says what mends it', async (args, message) => {
  const ran = await runCctl(args);
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
});

test('an id of another kind is sent to the command that takes it', async () => {
  const fake = start();
  const approval = await run(fake, 'approve', 'apr_1');
  expect([approval.exitCode, approval.stderr]).toEqual([
    1,
    'error: There is no orchestration or plan "apr_1" in any workspace. That is an approval: `cctl decide` decides it.\n',
  ]);
  expect((await run(fake, 'decide', 'orc_1', 'approve')).stderr).toContain('`cctl approve`');
  expect((await run(fake, 'decide', 'x', 'approve')).stderr).toContain('List them with `cctl inbox`.');
});

test('what follows gives up at once when no server is there to begin with', async () => {
  for (const command of ['inbox', 'audit']) {
    const ran = await runCctl([command, '--follow', '--url', NOWHERE]);
    expect([ran.exitCode, ran.stderr]).toEqual([
      4,
      expect.stringContaining(`No server answers at ${NOWHERE}`),
    ]);
  }
});

test('a token that the server does not know, and one that is none, say what to set', async () => {
  const { url } = start();
  const unknown = await runCctl(['inbox', '--url', url], { CONTROL_CENTER_TOKEN: 'another' });
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    3,
    expect.stringContaining('does not know this token. Set CONTROL_CENTER_TOKEN to yours'),
  ]);
  const none = await runCctl(['inbox', '--url', url], { CONTROL_CENTER_TOKEN: 'two\nlines' });
  expect([none.exitCode, none.stderr]).toEqual([
    2,
    expect.stringContaining('CONTROL_CENTER_TOKEN is no token'),
  ]);
});

test('doctor looks at the server that the environment names', async () => {
  const { url } = start();
  const checkOf = async (CONTROL_CENTER_URL: string) => {
    const { stdout } = await runCctl(['doctor', '--json'], { CONTROL_CENTER_URL });
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'server');
  };
  expect(await checkOf(url)).toMatchObject({ ok: true, found: `answers at ${url}` });
  expect(await checkOf(NOWHERE)).toMatchObject({ ok: false, found: `none answers at ${NOWHERE}` });
});

test('a port that is none is named as it was given', async () => {
  const ran = await runCctl(['agents'], { CONTROL_CENTER_URL: '', CONTROL_CENTER_PORT: 'abc' });
  expect([ran.exitCode, ran.stderr]).toEqual([
    2,
    expect.stringContaining('CONTROL_CENTER_PORT must be a whole number from 0 to 65535, not "abc".'),
  ]);
});

test('a server of another kind is said to be one', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('', { status: 404 }) });
  const { origin } = other.url;
  const ran = await runCctl(['agents', '--url', origin], { CONTROL_CENTER_TOKEN: 'mine' });
  await other.stop(true);
  const message = `error: What answers at ${origin} is no Control Center server.`;
  expect([ran.exitCode, ran.stderr]).toEqual([4, expect.stringContaining(message)]);
});

test('a second workspace of a name, which only its id could tell from the first, is not made', async () => {
  const fake = start();
  const ran = await run(fake, 'workspace', 'create', 'default');
  expect([ran.exitCode, ran.stderr]).toEqual([1, expect.stringContaining('"default" already (ws_')]);
  expect((await run(fake, 'workspace', 'create', ' ')).exitCode).toBe(2);
  expect(fake.state.writes).toEqual([]);
});

test('a run that has ended is not said to be cancelled', async () => {
  const ended = sampleRun({ status: 'completed' });
  const fake = start({ runs: [ended], answers: { [`GET /runs/${ended.id}`]: ended } });
  const ran = await run(fake, 'runs', 'cancel', ended.id);
  expect([ran.exitCode, ran.stderr]).toEqual([
    1,
    `error: Run ${ended.id} is completed; there is nothing left to cancel.\n`,
  ]);
  expect(fake.state.writes).toEqual([]);
});

test('the audit log is cut by time, and tells first what was decided over what', async () => {
  const subject = `run_command: git push origin ${'x'.repeat(20)}`;
  const { digest, requester } = sampleApproval();
  const decided = { kind: 'action', status: 'refused', requester, subject, digest };
  const entry = (seq: number, at: number) => ({
    ...{ seq, at, actor: 'person:mem_1', action: 'approval.decided', subject: `apr_${seq}`, source: null },
    data: { ...decided, grant: null, decision: { reason: 'Not today.' } },
  });
  const items = [entry(1, Date.parse('2026-01-01T00:00:00Z')), entry(2, Date.now() - 60_000)];
  const fake = start({ answers: { 'GET /audit': { items, next: null } } });
  const shown = (await run(fake, 'audit', '--since', '1h')).stdout;
  expect([shown.includes('apr_1'), shown.includes('apr_2')]).toEqual([false, true]);
  expect(shown).toContain(`kind=action status=refused subject=${subject} reason=Not`);
  const listed = async (...args: string[]) =>
    JSON.parse((await run(fake, 'audit', '--json', ...args)).stdout).items.map(
      ({ seq }: { seq: number }) => seq,
    );
  expect(await listed('--since', '2026-01-01')).toEqual([1, 2]);
  expect(await listed('--since', '2026-01-02T12:00')).toEqual([2]);
  expect(await listed('--since', '2025-12-31', '--last', '1')).toEqual([2]);
});
