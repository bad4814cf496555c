import { expect, test } from 'bun:test';
import type { MainJobResult } from '../main-job.ts';
import { noPaint } from '../paint.ts';
import { sampleOrchestration, sampleRun, sampleStep } from '../testing/sample.ts';
import { resultReport } from './result-report.ts';

const base: MainJobResult = {
  workspaceId: 'ws_1',
  spaceId: 'spc_1',
  conversationId: 'cnv_1',
  messageId: 'msg_1',
  orchestrationId: 'orc_1',
  end: 'completed',
  orchestration: null,
  steps: [],
  run: null,
  lastRun: null,
  messages: [],
  diff: null,
  waitsFor: [],
  unattended: [],
};

test('a completed orchestration shows deliverable, gaps, branch, merge command, steps and total', () => {
  const step = sampleStep({
    state: 'done',
    runId: 'run_1',
    costMicros: 34_000,
    startedAt: 0,
    endedAt: 1_000,
  });
  const orchestration = sampleOrchestration({
    status: 'completed',
    deliverable: 'It works.',
    gaps: ['No docs.'],
    branch: 'control-center/orc_1',
    spentMicros: 34_000,
    costUnknown: true,
    steps: [step],
  });
  const mergeCommand = 'git -C /repo merge control-center/orc_1';
  const diff = { repository: '/repo', branch: 'control-center/orc_1', stat: ' a.ts | 2 ++', mergeCommand };
  const text = resultReport(
    { ...base, orchestration, steps: [step], diff, run: sampleRun({ costMicros: 20_000 }) },
    noPaint,
    2_000,
  );
  expect(text.split('\n')).toEqual([
    'Deliverable',
    'It works.',
    '',
    'Gaps',
    '  - No docs.',
    '',
    'Branch  control-center/orc_1 in /repo',
    ' a.ts | 2 ++',
    'Merge it with',
    '  git -C /repo merge control-center/orc_1',
    '',
    '   STEP        ROLE  STATE   TIME    COST',
    '✓  ticket/api  dev   done   1.0 s  $0.034',
    '',
    'Cost at least $0.034 (some of it unknown) for the work, $0.020 for the plan; time 1.0 s',
    `Orchestration ${orchestration.id} completed.`,
  ]);
});

test('a proposal that waits shows what the plan cost, and no branch to merge', () => {
  const diff = { repository: '/repo', branch: 'control-center/cnv_1', stat: '', mergeCommand: 'git merge' };
  const run = sampleRun({ costMicros: 20_000 });
  const orchestration = sampleOrchestration({ status: 'proposed' });
  expect(resultReport({ ...base, end: 'waiting', orchestration, run, diff }, noPaint, 0)).toBe(
    `Cost $0.020 for the plan\nOrchestration ${orchestration.id} is still proposed and waits for a decision.`,
  );
});

test('a failed orchestration says why', () => {
  const failure = { code: 'pipeline_failed', message: 'synthesis failed' };
  const orchestration = sampleOrchestration({ status: 'failed', failure });
  const text = resultReport({ ...base, end: 'failed', orchestration }, noPaint, 0);
  expect(text).toEndWith(`Orchestration ${orchestration.id} failed (pipeline_failed): synthesis failed`);
});

test('an answer without a proposal is shown with its cost, unknown as unknown', () => {
  const run = sampleRun({
    status: 'completed',
    output: { text: 'Forty-two.', value: null },
    costMicros: null,
  });
  expect(resultReport({ ...base, end: 'answered', run }, noPaint, 0)).toBe('Forty-two.\n\nCost unknown');
});

test('a paused run says how to go on', () => {
  const run = sampleRun({ status: 'paused', summary: 'The key was refused.' });
  const text = resultReport({ ...base, end: 'runPaused', run }, noPaint, 0);
  expect(text).toContain(`is paused: The key was refused.\nGo on with\n  cctl runs resume ${run.id}`);
});
