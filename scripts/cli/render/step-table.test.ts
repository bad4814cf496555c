import { expect, test } from 'bun:test';
import type { Standing, StepRun } from '../../../services/orchestration/orchestrations/orchestration.ts';
import { noPaint } from '../paint.ts';
import { sampleStep, sampleStepRun } from '../testing/sample.ts';
import { spentText, stepTable } from './step-table.ts';

test('each step has its state, time and cost, and what is not known says so', () => {
  const steps = [
    sampleStep({ key: 'start', kind: 'start', role: null, state: 'done', startedAt: 0, endedAt: 500 }),
    sampleStep({
      key: 'ticket/a',
      state: 'done',
      runId: 'run_1',
      costMicros: 34_000,
      startedAt: 0,
      endedAt: 61_000,
    }),
    sampleStep({ key: 'ticket/b', state: 'done', runId: 'run_2', startedAt: 0, endedAt: 1_000 }),
    sampleStep({ key: 'ticket/c', state: 'running', runId: 'run_3', startedAt: 1_000, attempt: 2 }),
    sampleStep({
      key: 'ticket/d',
      state: 'failed',
      error: 'It\nbroke',
      runId: 'run_4',
      costMicros: 0,
      endedAt: 5,
    }),
    sampleStep({ key: 'ticket/e', state: 'waiting', runId: 'run_5', startedAt: 2_000 }),
    sampleStep({ key: 'gate/f', kind: 'gate', role: null, state: 'waiting', startedAt: 2_000 }),
    sampleStep({ key: 'synthesis', role: 'lead', state: 'blocked' }),
  ];
  expect(stepTable(steps, noPaint, 4_000).split('\n')).toEqual([
    '   STEP       ROLE  STATE                     TIME     COST',
    '✓  start            done                    500 ms',
    '✓  ticket/a   dev   done                 1 min 1 s   $0.034',
    '✓  ticket/b   dev   done                     1.0 s  unknown',
    '▶  ticket/c   dev   running (attempt 2)      3.0 s',
    '✗  ticket/d   dev   failed                               $0  It broke',
    '▶  ticket/e   dev   awaits its run           2.0 s',
    '!  gate/f           deferred                 2.0 s',
    '·  synthesis  lead  blocked',
  ]);
});

test('a step whose run stands still says at what, and whether a person is wanted', () => {
  const at = (standing: Standing, change: Partial<StepRun> = {}) =>
    sampleStep({
      ...{ key: `ticket/${standing}`, role: null, state: 'waiting', runId: 'run_1', costMicros: 20_000 },
      run: { ...sampleStepRun, standing, ...change },
    });
  const steps = [
    at('working'),
    at('awaiting', { approvalId: 'apr_1' }),
    at('retrying', { summary: 'Overloaded.', resumeAt: 9 }),
    at('blocked', { summary: 'Disk\nis full.' }),
  ];
  expect(stepTable(steps, noPaint, 4_000).split('\n').slice(1)).toEqual([
    '▶  ticket/working         its run works             $0.020',
    '!  ticket/awaiting        awaits a decision         $0.020',
    '▶  ticket/retrying        tries again later         $0.020  Overloaded.',
    '!  ticket/blocked         stopped by trouble        $0.020  Disk is full.',
  ]);
});

test('a sum with an unknown part is a lower bound', () => {
  expect(spentText(0, false)).toBe('$0');
  expect(spentText(34_000, true)).toBe('at least $0.034 (some of it unknown)');
  expect(spentText(0, true)).toBe('unknown');
});
