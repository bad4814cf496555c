import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeServer, type FakeState, LEADER, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleRun } from './testing/sample.ts';

let directory = '';
let server: FakeServer | null = null;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cctl-budget-'));
});
afterEach(() => server?.kill());
afterAll(() => rm(directory, { recursive: true, force: true }));

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url], {}, directory);
const none = { spentMicros: null, reservedMicros: null, unknownCalls: null, unknownMicros: null };
const spent = { spentMicros: 1_250_000, reservedMicros: 34_000, unknownCalls: 0, unknownMicros: 0 };
const month = `agent:${LEADER}/2026-11`;
const OF_LEADER = { target: `agent:${LEADER}`, scope: month, capMicros: 5_000_000, ...spent };

test('budgets are listed with their caps, and what is unknown is in no sum', async () => {
  const items = [
    { target: 'run', scope: null, capMicros: 500_000, ...none },
    { target: 'workspace', scope: 'workspace/2026-11', capMicros: null, ...spent },
    { ...OF_LEADER, unknownCalls: 2, unknownMicros: 34_000 },
  ];
  const fake = start({ answers: { 'GET /budgets': { items } } });
  const listed = await run(fake, 'budget');
  expect(listed.stdout.split('\n').slice(0, 4)).toEqual([
    'BUDGET        CAP  SPENT  RESERVED  OF UNKNOWN COST           WORKSPACE',
    'run        $0.500                                             default',
    'workspace  no cap  $1.25    $0.034                            default',
    'agent:ceo   $5.00  $1.25    $0.034  2 calls (at most $0.034)  default',
  ]);
  const json = JSON.parse((await run(fake, 'budget', 'list', '--json')).stdout);
  expect(json.items[2]).toMatchObject({ target: `agent:${LEADER}`, agentName: 'ceo', unknownCalls: 2 });
});

test('a cap is set in dollars for an agent by its name, a run, every run and the workspace, and taken away', async () => {
  const sample = sampleRun({});
  const path = (target: string) => `PUT /budgets/${encodeURIComponent(target)}`;
  const fake = start({
    runs: [sample],
    answers: {
      [path(`agent:${LEADER}`)]: OF_LEADER,
      [path(`run:${sample.id}`)]: { ...OF_LEADER, target: `run:${sample.id}`, capMicros: null },
      [path('run')]: { target: 'run', scope: null, capMicros: 1, ...none },
      [path('workspace')]: OF_LEADER,
    },
  });
  const set = await run(fake, 'budget', 'set', 'agent:CEO', '5');
  expect([set.exitCode, set.stdout]).toEqual([0, 'agent:CEO has a cap of $5.00; $1.25 is spent.\n']);
  const every = await run(fake, 'budget', 'set', 'run', '0.000001');
  expect(every.stdout).toBe('Each run that has none of its own has a cap of $0.000001.\n');
  await run(fake, 'budget', 'set', 'workspace', '$12.345678');
  const cleared = await run(fake, 'budget', 'clear', `run:${sample.id}`);
  expect(cleared.stdout).toBe(`run:${sample.id} has no cap; $1.25 is spent.\n`);
  const sent = fake.state.writes.map(({ method, path: where, body }) => [
    method,
    decodeURIComponent(where),
    body,
  ]);
  expect(sent).toEqual([
    ['PUT', `/budgets/agent:${LEADER}`, { capMicros: 5_000_000 }],
    ['PUT', '/budgets/run', { capMicros: 1 }],
    ['PUT', '/budgets/workspace', { capMicros: 12_345_678 }],
    ['PUT', `/budgets/run:${sample.id}`, { capMicros: null }],
  ]);
});

test.each([
  [['set', 'workspace', '0'], 'An amount is more than nothing and less'],
  [['set', 'workspace', '-5'], 'An amount is more than nothing'],
  [['set', 'workspace', '1.0000001'], 'to the millionth at most'],
  [['set', 'workspace', 'much'], 'An amount is more than nothing'],
  [['set', 'workspace', '1000000000'], 'less than a billion in dollars'],
  [['set', 'team', '5'], 'There is no budget "team": give workspace, run'],
  [['clear', 'agent:'], 'There is no budget "agent:"'],
])('%j is wrong usage: one line, status 2', async (args, message) => {
  const ran = await run(start(), 'budget', ...args);
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
});

test('a run that falls back to the cap of each run is said to', async () => {
  const sample = sampleRun({});
  const target = `run:${sample.id}`;
  const answers = { [`PUT /budgets/${encodeURIComponent(target)}`]: { ...OF_LEADER, target } };
  const cleared = await run(start({ runs: [sample], answers }), 'budget', 'clear', target);
  expect(cleared.stdout).toBe(
    `${target} has a cap of $5.00; $1.25 is spent.\nThat is the cap of each run that has none of its own.\n`,
  );
});

test('an agent or a run that there is not is said so', async () => {
  const fake = start();
  const [agent, one] = [
    await run(fake, 'budget', 'set', 'agent:nobody', '5'),
    await run(fake, 'budget', 'set', 'run:run_none', '5'),
  ];
  expect([agent.exitCode, agent.stderr]).toEqual([
    1,
    'error: There is no agent "nobody" in any workspace.\n',
  ]);
  expect([one.exitCode, one.stderr]).toEqual([1, expect.stringContaining('There is no run "run_none"')]);
});
