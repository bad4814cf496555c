import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FakeServer,
  type FakeState,
  LEADER,
  SPACE,
  startFakeServer,
  WORKSPACE,
} from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleApproval } from './testing/sample.ts';

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
  [['guardrails', 'rules', 'set', 'push', 'deny'], "'push' is no <effect>"],
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
    expect.stringContaining(`say which with --workspace: ${WORKSPACE} (${WORKSPACE}), ws_2 (ws_2)`),
  ]);
  const unknown = await run(fake, 'audit', '--workspace', 'none');
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('no workspace "none"')]);
  expect((await run(fake, 'audit', '--workspace', WORKSPACE)).exitCode).toBe(0);
});
