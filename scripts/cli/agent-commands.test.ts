import { afterEach, describe, expect, test } from 'bun:test';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import type { LiveStateItem, PresenceEntry, RunPage } from './client/activity-calls.ts';
import { noPaint } from './paint.ts';
import { runStepsText } from './render/run-steps.ts';
import { runTreeText } from './render/run-tree.ts';
import { type FakeServer, type FakeState, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleRun } from './testing/sample.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(answers: FakeState['answers']): FakeServer {
  server = startFakeServer({ answers });
  return server;
}
const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url]);

describe('cctl agents', () => {
  const state = (agentId: string, change: Partial<LiveStateItem>): LiveStateItem => ({
    ...{ agentId, name: agentId.slice(4), title: `The ${agentId.slice(4)}`, state: 'idle', runId: null },
    ...{ conversationId: null, spaceId: null, since: null, status: null, liveness: null },
    ...{ errorFamily: null, summary: null, resumeAt: null, takenOverBy: null },
    ...change,
  });
  type Shown = Extract<PresenceEntry, { kind: 'agent' }>;
  const activity = {
    agentId: 'x',
    tool: null,
    runId: 'run_1',
    conversationId: null,
    spaceId: null,
    approvalId: null,
  };
  const entry = (agentId: string, change: Partial<Shown>): Shown => ({
    ...{ actor: `agent:${agentId}`, kind: 'agent', name: agentId, title: '', activity: null, also: [] },
    ...change,
  });

  test('lists how agents stand and what they do, and what is not known as unknown', async () => {
    const since = Date.now() - 65_000;
    const fake = start({
      'GET /live-states': {
        items: [
          state('agt_ceo', { state: 'running', runId: 'run_1', title: 'Chief\u001b[2J' }),
          ...[
            state('agt_qa', { state: 'failed' }),
            state('agt_new', { state: 'neverRun' }),
            state('agt_gone', {}),
          ],
        ],
        next: null,
      },
      'GET /presence': {
        items: [
          { actor: 'person:mem_1', kind: 'person', name: 'Ada', role: 'owner', since, decides: true },
          entry('agt_ceo', {
            activity: { ...activity, state: 'runningTool', tool: 'run_command', since },
            also: [{ ...activity, state: 'paused', since }],
          }),
          entry('agt_qa', {
            activity: { ...activity, state: 'waitingForApproval', tool: 'git_push', since },
          }),
          ...[entry('agt_new', { activity: { state: 'neverRun' } }), entry('agt_gone', {})],
        ],
        next: null,
      },
    });
    const { exitCode, stdout } = await run(fake, 'agents');
    expect(exitCode).toBe(0);
    expect(
      stdout
        .replaceAll(/1 min \d+ s/g, '1 min')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['NAME', 'TITLE', 'STATE', 'PRESENCE', 'RUN'],
      ['ceo', 'Chief␛[2J', 'running', 'runs run_command for 1 min, and 1 more', 'run_1'],
      ['qa', 'The qa', 'failed', 'waits for a person (git_push) for 1 min'],
      ['new', 'The new', 'neverRun', 'has run nothing yet'],
      ['gone', 'The gone', 'idle', 'unknown'],
    ]);
    const { items } = JSON.parse((await run(fake, 'agents', '--json')).stdout);
    expect(items[0]).toMatchObject({
      name: 'ceo',
      state: 'running',
      presence: { activity: { tool: 'run_command' } },
    });
  });
});

const node = (id: string, change: Partial<TreeNode> = {}): TreeNode => ({
  ...{
    id,
    parentRunId: null,
    agentId: 'agt_1',
    agentName: 'engineer',
    conversationId: null,
    trigger: 'assignment',
  },
  ...{ liveness: 'progressing', errorFamily: null, summary: null, waitingFor: null, costMicros: 1_000_000 },
  ...{ tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, createdAt: 1, startedAt: 1, endedAt: 2 },
  ...{ state: 'succeeded', treeCostMicros: 1_000_000, durationMs: 850, cacheReadShare: 0.5, children: [] },
  ...change,
});

describe('cctl runs show', () => {
  test('--tree draws the whole tree, with unknown sums as unknown', async () => {
    const tree = node('run_a', {
      treeCostMicros: null,
      children: [
        node('run_b', {
          children: [node('run_c', { costMicros: null, treeCostMicros: null, state: 'failed' })],
        }),
        node('run_d', { state: 'running', liveness: 'stalled', durationMs: null, agentName: 'qa' }),
      ],
    });
    expect(runTreeText(tree, 'run_b', noPaint).split('\n')).toEqual([
      'engineer succeeded  850 ms  $1.00 (unknown in all)  10 tokens  run_a',
      '├─ engineer succeeded  850 ms  $1.00 ($1.00 in all)  10 tokens  run_b',
      '│  └─ engineer failed  850 ms  unknown  10 tokens  run_c',
      '└─ qa running (stalled)  not begun  $1.00  10 tokens  run_d',
    ]);
  });

  test('--steps shows calls with inputs, outputs, and why they were denied', () => {
    const call = {
      callId: 'c',
      media: [],
      startedAt: 1,
      endedAt: 2,
      durationMs: 40,
      approvalId: null,
      decision: null,
    };
    const rule = { kind: 'default' as const, effect: 'git_push' as const, action: 'deny' as const };
    const decision = { decision: 'deny' as const, classes: [], rule, reason: 'Not here.', approvalId: null };
    const page: RunPage = {
      ...{ run: sampleRun({ id: 'run_1', status: 'completed' }) as RunPage['run'], turns: 1, next: null },
      opening: [{ kind: 'note', at: 1, cause: 'prompt', text: 'Do\nit.' }],
      steps: [
        {
          ...{
            seq: 2,
            at: 1,
            turn: 1,
            undone: true,
            summarized: false,
            text: 'I look.',
            thinking: null,
            model: 'm',
          },
          ...{ stopReason: 'tool_use', tokens: { input: 5, output: 2, cacheRead: 5, cacheWrite: 0 } },
          ...{ costMicros: null, durationMs: 900, firstByteMs: null },
          calls: [
            {
              ...call,
              name: 'read_file',
              input: { path: 'a' },
              state: 'succeeded',
              output: 'on',
              outputChars: 99,
            },
            {
              ...call,
              name: 'run_command',
              input: 'git',
              state: 'denied',
              output: 'Refused',
              outputChars: 7,
              decision,
            },
            {
              ...call,
              name: 'ask_user',
              input: {},
              state: 'held',
              output: null,
              outputChars: null,
              approvalId: 'apr_1',
            },
          ],
          between: [{ kind: 'undo', at: 1, turns: 0 }],
        },
      ],
    };
    expect(runStepsText(page, noPaint).split('\n')).toEqual([
      'Run run_1  completed  1 answer, 3 calls, 1 denied',
      '> prompt Do it.',
      '',
      'Step 1 (undone)  900 ms, unknown, 10 in, 2 out, tool_use',
      'I look.',
      '  succeeded read_file {"path":"a"} 40 ms',
      '    = on (99 characters)',
      '  denied    run_command git',
      '    deny by default: deny git_push: Not here.',
      '    = Refused',
      '  held      ask_user {} 40 ms',
      '    waits for a person: apr_1',
      '> taken back to step 0',
    ]);
  });

  test('--prompt shows what the last start sent, and one side at a time is shown', async () => {
    const sent = { at: 1, lastAt: 2, prompt: 'Do it.' };
    const starts = [
      {
        ...sent,
        system: [
          { text: 'You are ceo.', cache: true },
          { text: 'Guide.', cache: true },
        ],
      },
      { ...sent, lastAt: 1, system: [{ text: 'Old.', cache: true }] },
    ];
    const fake = start({
      'GET /runs/run_1': sampleRun({ id: 'run_1' }),
      'GET /runs/run_1/prompt': { runId: 'run_1', starts },
    });
    const shown = await run(fake, 'runs', 'show', 'run_1', '--prompt');
    expect(shown.stdout.split('\n')).toEqual([
      ...['--- system', 'You are ceo.', 'Guide.', '--- prompt', 'Do it.', ''],
      ...['Earlier starts sent another system prompt, 1 in all (--json).', ''],
    ]);
    const both = await run(fake, 'runs', 'show', 'run_1', '--prompt', '--tree');
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('give one of them')]);
  });
});
