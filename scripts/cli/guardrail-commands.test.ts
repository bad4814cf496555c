import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../services/kit/fault.ts';
import {
  type FakeServer,
  type FakeState,
  LEADER,
  SPACE,
  startFakeServer,
  WORKSPACE,
} from './testing/fake-server.ts';
import { CCTL, cctlEnvironment, runCctl } from './testing/run-cctl.ts';
import { sampleApproval, sampleOrchestration } from './testing/sample.ts';

let directory = '';
let server: FakeServer | null = null;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cctl-guardrails-'));
});
afterEach(() => server?.kill());
afterAll(() => rm(directory, { recursive: true, force: true }));

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url], {}, directory);
const { id } = sampleApproval();
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
const rule = { id: 'grl_1', scope: 'space', scopeId: SPACE, effect: 'git_push', action: 'deny' };

test.each([
  [['guardrails', 'explain'], 'Say what to explain with one of'],
  [['guardrails', 'explain', '--command', 'x', '--stdin'], 'Say what to explain with one of'],
  [['guardrails', 'explain', '--command', 'x', '--input', '{}'], '--input goes with --tool'],
  [['guardrails', 'explain', '--command', 'x', '--mode', 'free'], "argument 'free' is invalid"],
  [['guardrails', 'explain', '--command', 'x', '--rules', 'nowhere.json'], 'cannot be read'],
  [
    ['guardrails', 'explain', '--command', 'x', '--agent', 'ceo', '--rules', 'r'],
    '--rules is for an answer without',
  ],
  [['guardrails', 'rules', 'set', 'push', 'deny'], "command-argument value 'push' is invalid"],
  [['decide', id, 'refuse', '--for', 'run'], '--for goes with approve'],
  [['decide', id, 'approve', '--rule-scope', 'agent'], '--rule-scope goes with --for rule'],
  [['decide', id, 'changes'], 'Say what is to be changed'],
  [['request-changes', 'orc_1'], "required option '--reason <text>' not specified"],
  [['audit', '--export', 'f', '--follow'], 'exclude each other'],
])('%j is wrong usage: one line, status 2', async (args, message) => {
  const ran = await runCctl(args, {}, directory);
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
});

test('rules are listed with what they hold for, set for a space or an agent, and removed', async () => {
  const fake = start({
    answers: {
      'GET /guardrails/rules': { items: [rule], next: null },
      'PUT /guardrails/rules': rule,
      'DELETE /guardrails/rules/grl_1': rule,
    },
  });
  const listed = await run(fake, 'guardrails', 'rules');
  expect(listed.stdout).toContain('grl_1  git_push  deny    space Shop  default');
  await run(fake, 'guardrails', 'rules', 'set', 'git_push', 'deny', '--space', SPACE);
  await run(fake, 'guardrails', 'rules', 'set', 'git_push', 'ask', '--agent', 'CEO');
  const set = await run(fake, 'guardrails', 'rules', 'set', 'git_push', 'ask', '--json');
  expect([set.exitCode, JSON.parse(set.stdout)]).toEqual([0, rule]);
  const removed = await run(fake, 'guardrails', 'rules', 'remove', 'grl_1');
  expect([removed.exitCode, removed.stdout]).toEqual([0, `Removed: deny git_push for the space ${SPACE}.\n`]);
  expect(fake.state.writes.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PUT', '/guardrails/rules', { scope: 'space', scopeId: SPACE, effect: 'git_push', action: 'deny' }],
    ['PUT', '/guardrails/rules', { scope: 'agent', scopeId: LEADER, effect: 'git_push', action: 'ask' }],
    ['PUT', '/guardrails/rules', { scope: 'workspace', scopeId: null, effect: 'git_push', action: 'ask' }],
    ['DELETE', '/guardrails/rules/grl_1', null],
  ]);
  const nobody = await run(fake, 'guardrails', 'rules', 'set', 'git_push', 'ask', '--agent', 'nobody');
  expect([nobody.exitCode, nobody.stderr]).toEqual([
    1,
    'error: There is no agent "nobody" in any workspace.\n',
  ]);
});

test('a server is asked about a tool call, or a line by the rules of a space and an agent', async () => {
  const explanation = {
    ...{ command: 'git push', decision: 'deny', classes: ['git_push'], reason: 'Denied.', understood: true },
    rule: { kind: 'rule', ...rule },
    findings: [{ effect: 'git_push', because: '`git push` pushes.' }],
  };
  const fake = start({ answers: { 'POST /policy/explain': explanation } });
  const line = await run(
    fake,
    'guardrails',
    'explain',
    '--command',
    'git push',
    '--agent',
    'ceo',
    '--space',
    SPACE,
  );
  expect([line.exitCode, line.stdout]).toEqual([
    0,
    expect.stringContaining('rule grl_1 of the space: deny git_push'),
  ]);
  const input = '{"path":"a"}';
  const tool = await run(
    fake,
    'guardrails',
    'explain',
    '--tool',
    'write_file',
    '--input',
    input,
    '--mode',
    'plan',
    '--json',
  );
  expect(JSON.parse(tool.stdout)).toEqual(explanation);
  expect(fake.state.writes.map(({ body }) => body)).toEqual([
    { command: 'git push', agentId: LEADER, spaceId: SPACE },
    { tool: 'write_file', input: { path: 'a' }, mode: 'plan' },
  ]);
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
      throw new Fault('already_decided', 'This was refused already by person:mem_7.', decided);
    },
  });
  const ran = await run(fake, 'decide', action.id, 'approve');
  expect([ran.exitCode, ran.stderr]).toEqual([1, 'error: This was refused already by person:mem_7.\n']);
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

test('spaces are listed, shown with the rules that hold in them, and set', async () => {
  const space = { id: SPACE, name: 'Shop', mode: 'plan', autonomy: 'proposeOnly', whenNobody: 'wait' };
  const guardrails = { mode: 'chat', autonomy: 'actWithApproval', whenNobody: 'refuse', rules: [rule] };
  const fake = start({ answers: { 'GET /guardrails': guardrails, [`PATCH /spaces/${SPACE}`]: space } });
  expect((await run(fake, 'space')).stdout).toContain('Shop  chat  actWithApproval  refuse');
  expect((await run(fake, 'space', 'show', SPACE)).stdout).toContain(
    `deny git_push for the space ${SPACE} (grl_1)`,
  );
  const set = ['--mode', 'plan', '--autonomy', 'proposeOnly', '--when-nobody', 'wait'];
  expect((await run(fake, 'space', 'set', SPACE, ...set)).exitCode).toBe(0);
  expect(fake.state.writes.map(({ body }) => body)).toEqual([
    { mode: 'plan', autonomy: 'proposeOnly', whenNobody: 'wait' },
  ]);
  expect((await run(fake, 'space', 'set', SPACE)).exitCode).toBe(2);
});

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

const entry = {
  ...{ seq: 7, at: 0, actor: 'person:mem_1', action: 'guardrail.set', subject: 'grl_1' },
  data: { effect: 'git_push', action: 'deny', scopeId: SPACE },
  source: { via: 'http', address: '127.0.0.1', agent: 'cctl/0.1.0' },
};

test('the audit log is shown, and exported whole or not at all', async () => {
  const fake = start({ answers: { 'GET /audit': { items: [entry], next: null } } });
  const shown = await run(fake, 'audit');
  expect(shown.stdout).toContain('1970-01-01T00:00:00.000Z  person:mem_1  guardrail.set  grl_1');
  expect(shown.stdout).toContain('http 127.0.0.1 cctl/0.1.0  effect=git_push action=deny');
  expect(JSON.parse((await run(fake, 'audit', '--json')).stdout)).toEqual({ items: [entry] });
  const exported = await run(fake, 'audit', '--export', 'audit.ndjson');
  expect(exported.exitCode).toBe(0);
  expect(JSON.parse(await readFile(join(directory, 'audit.ndjson'), 'utf8'))).toEqual({
    items: [entry],
    next: null,
  });
  const failed = await run(fake, 'audit', '--export', 'no/such/folder');
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining('could not be written')]);
  expect(await readdir(directory)).toEqual(['audit.ndjson']);
});

test('a workspace that has to be chosen is asked for', async () => {
  const two = [WORKSPACE, 'ws_2'].map((id) => ({ id, name: id, state: 'ready', createdAt: 1 }));
  const audit = { items: [], next: null };
  const fake = start({ answers: { 'GET /api/workspaces': { items: two, next: null }, 'GET /audit': audit } });
  const unsaid = await run(fake, 'audit');
  expect([unsaid.exitCode, unsaid.stderr]).toEqual([
    2,
    expect.stringContaining('say which with --workspace'),
  ]);
  const unknown = await run(fake, 'audit', '--workspace', 'none');
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('no workspace "none"')]);
  expect((await run(fake, 'audit', '--workspace', WORKSPACE)).exitCode).toBe(0);
});
