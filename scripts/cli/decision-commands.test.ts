import { afterEach, expect, test } from 'bun:test';
import { Fault } from '../../services/kit/fault.ts';
import { type FakeServer, type FakeState, startFakeServer } from './testing/fake-server.ts';
import { CCTL, cctlEnvironment, runCctl } from './testing/run-cctl.ts';
import { sampleApproval, sampleOrchestration } from './testing/sample.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url]);

const action = sampleApproval({
  kind: 'action',
  subject: 'Run git push',
  arguments: {
    tool: 'run_command',
    input: { command: 'git push' },
    classes: ['git_push'],
    asked: ['git_push'],
  },
});

test('a decision carries its reach, and a plan is sent back with what is to be changed', async () => {
  const fake = start({ approvals: [action, sampleApproval({ id: 'apr_plan', kind: 'plan_exit' })] });
  await run(fake, 'decide', action.id, 'approve', '--for', 'rule', '--rule-scope', 'agent');
  await run(fake, 'decide', 'apr_plan', 'changes', '--reason', 'Smaller.');
  expect(fake.state.writes.map(({ body }) => body)).toEqual([
    { decision: 'approved', digest: 'd1', grant: 'rule', ruleScope: 'agent' },
    { decision: 'changesRequested', digest: 'd1', reason: 'Smaller.' },
  ]);
  const wrong = await run(fake, 'decide', 'apr_plan', 'approve', '--for', 'run');
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('is no action')]);
});

test('whoever is second is told who was first', async () => {
  const fake = start({
    approvals: [action],
    onWrite() {
      const decided = { status: 'refused', decidedBy: 'person:mem_7', decidedAt: 1 };
      throw new Fault('already_decided', 'This was refused already.', decided);
    },
  });
  const ran = await run(fake, 'decide', action.id, 'approve');
  expect([ran.exitCode, ran.stderr]).toEqual([1, 'error: This was refused already.\n']);
  const machine = await run(fake, 'decide', action.id, 'approve', '--json');
  expect(JSON.parse(machine.stderr)).toMatchObject({ status: 409, errors: { decidedBy: 'person:mem_7' } });
});

test('the inbox is followed: what there is, then each change with how many wait', async () => {
  const fake = start({ approvals: [action] });
  const child = Bun.spawn([process.execPath, CCTL, 'inbox', '--follow', '--json', '--url', fake.url], {
    ...{ env: cctlEnvironment(), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  });
  const lines = linesOf(child.stdout);
  expect(await lines.next()).toMatchObject({
    type: 'inbox',
    count: 1,
    items: [{ approval: { id: action.id } }],
  });
  fake.state.approvals = [action, sampleApproval({ id: 'apr_2' })];
  fake.emit('approval.requested', 'apr_2');
  expect(await lines.next()).toMatchObject({ type: 'added', count: 2, approval: { id: 'apr_2' } });
  fake.state.approvals = [sampleApproval({ id: 'apr_2' })];
  fake.emit('approval.decided', action.id);
  expect(await lines.next()).toMatchObject({ type: 'removed', count: 1, approval: { id: action.id } });
  expect(fake.state.streams[0]?.get('attending')).toBe('0');
  child.kill('SIGINT');
  expect(await child.exited).toBe(130);
});

function linesOf(body: ReadableStream<Uint8Array>) {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let rest = '';
  return {
    async next(): Promise<unknown> {
      while (!rest.includes('\n')) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The output ended after ${JSON.stringify(rest)}.`);
        rest += value;
      }
      const [line = '', ...others] = rest.split('\n');
      rest = others.join('\n');
      return JSON.parse(line);
    },
  };
}

test('plans are listed and shown, sent back, and their steps decided', async () => {
  const nodes = [
    { key: 'api', title: 'Write the route', description: 'In one file.', needs: [] },
    { key: 'docs', title: 'Describe it', description: '', needs: ['api'] },
  ];
  const plan = sampleOrchestration({
    kind: 'plan',
    changesRequestedRevision: 1,
    changesRequestedReason: 'Smaller.',
  });
  const fake = start({
    orchestrations: [plan],
    answers: {
      'GET /plans': { items: [plan], next: null },
      [`GET /plans/${plan.id}`]: { ...plan, nodes, budgetIsDefault: true },
    },
  });
  expect((await run(fake, 'plans')).stdout).toContain(`${plan.id}  changes requested  1         $5.00`);
  const shown = await run(fake, 'plans', 'show', plan.id);
  for (const text of [
    'Changes asked for: Smaller.',
    '(a default',
    'docs  Describe it  after api',
    '    In one file.',
  ])
    expect(shown.stdout).toContain(text);
  await run(fake, 'request-changes', plan.id, '--reason', 'Bolder.');
  await run(fake, 'steps', 'retry', plan.id, 'ticket/api');
  await run(fake, 'steps', 'skip', plan.id, 'ticket/api');
  expect(fake.state.writes.map(({ path, body }) => [path, body])).toEqual([
    [`/orchestrations/${plan.id}/request-changes`, { reason: 'Bolder.', revision: 1 }],
    [`/orchestrations/${plan.id}/steps/ticket%2Fapi/retry`, null],
    [`/orchestrations/${plan.id}/steps/ticket%2Fapi/skip`, null],
  ]);
});
