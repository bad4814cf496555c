import { expect, test } from 'bun:test';
import type { RunEntry } from '../client/client.ts';
import { noPaint } from '../paint.ts';
import { sampleRun } from '../testing/sample.ts';
import { runsTable, runText } from './run-text.ts';

const entries = (...list: RunEntry['entry'][]): RunEntry[] =>
  list.map((entry, seq) => ({ seq, at: 1, entry }));
const decision = {
  ...{ decision: 'deny' as const, classes: ['git_push' as const], reason: 'Denied.', approvalId: null },
  rule: { kind: 'default' as const, effect: 'git_push' as const, action: 'ask' as const },
};

test('each call is shown with what decided over it', () => {
  const call = { callId: 'c1', name: 'run_command' };
  const text = runText(
    sampleRun(),
    entries(
      { kind: 'toolHeld', ...call, approvalId: 'apr_1' },
      { kind: 'toolStarted', ...call, decision: { ...decision, decision: 'allow', approvalId: 'apr_1' } },
      { kind: 'toolFinished', ...call, content: 'done', isError: false, durationMs: 5 },
      { kind: 'toolFinished', ...call, content: 'no', isError: true, durationMs: 0, decision },
      { kind: 'toolStarted', ...call, decision: { ...decision, rule: { kind: 'harmless' } } },
    ),
    noPaint,
    0,
  );
  expect(text.split('\n').slice(-5)).toEqual([
    '  … run_command waits for a person (apr_1)',
    '  allow run_command by approval apr_1',
    '  = run_command: done (5 ms)',
    '  deny run_command by default: ask git_push',
    '  = run_command: no (0 ms)',
  ]);
});

test('a run names what it waits for, its sub-agents, and whose it is itself', () => {
  const run = sampleRun({ parentRunId: 'run_root', children: ['run_a', 'run_b'], waitingFor: 'run_a' });
  const text = runText(run, [], noPaint, 0);
  expect(text).toContain('For      run_root, whose sub-agent it is');
  expect(text).toContain('Started  run_a, run_b');
  expect(text).toContain('Waits    for run_a');
});

test('how much of its prompts a run read from the cache is shown, never rounded up to all of it', () => {
  const shown = (cacheReadShare: number | null) => runText(sampleRun({ cacheReadShare }), [], noPaint, 0);
  expect(shown(0.375)).toContain('Cache    37 % of all prompts read from it');
  expect(shown(0.999)).toContain('Cache    99 %');
  expect(shown(null)).toContain('Cache    no prompt yet');
});

test('what went in is all of the prompts, wherever they were read from', () => {
  const tokens = { input: 1, output: 25, cacheRead: 9630, cacheWrite: 4895 };
  const text = runText(sampleRun({ tokens, cacheReadShare: 0.66 }), [], noPaint, 0);
  expect(text).toContain('Tokens   14526 in, 25 out');
  expect(text).toContain('Cache    66 % of all prompts read from it: 9630 tokens, and 4895 written');
});

test('a run that is taken over says by whom', () => {
  const held = sampleRun({ takenOverBy: 'person:mem_1' });
  expect(runText(held, [], noPaint, 0, 'person:mem_1')).toContain('Held     by you');
  expect(runText(held, [], noPaint, 0, 'person:mem_2')).toContain('Held     by person:mem_1');
});

test('how many answers count after an undo is said for none, one and more', () => {
  const shown = (turns: number) => runText(sampleRun(), entries({ kind: 'rewind', turns }), noPaint, 0);
  expect(shown(0)).toContain('no answer before this counts any more');
  expect(shown(1)).toContain('only the first one counts on');
  expect(shown(3)).toContain('only the first 3 count on');
});

test('a table of runs names workspaces only where there are several, and no status twice', () => {
  const run = { ...sampleRun({ status: 'cancelled', errorFamily: 'cancelled' }), workspace: 'default' };
  const one = runsTable([run, run], 0);
  expect([one.includes('WORKSPACE'), one.includes('cancelled (')]).toEqual([false, false]);
  const [heading, , second] = runsTable([run, { ...run, workspace: 'other' }], 0).split('\n');
  expect([heading, second]).toEqual([
    expect.stringMatching(/^ID +WORKSPACE {2}AGENT/),
    expect.stringMatching(/^run_\w+ {2}other +ceo/),
  ]);
});
