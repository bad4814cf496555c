import { expect, test } from 'bun:test';
import type { Standing, StepRun } from '../../services/orchestration/orchestrations/orchestration.ts';
import { runAt, stepStatus } from './standing.ts';

const at = (standing: Standing): StepRun => ({
  ...{ id: 'run_1', standing, atRunId: 'run_1', agentId: 'agt_1', agentName: 'ada', approvalId: null },
  ...{ errorFamily: null, summary: null, resumeAt: null, takenOverBy: null, pausedBy: null, since: null },
});

test('a step that is at a run has the status of what the run stands at', () => {
  const all: Standing[] = [
    'queued',
    'working',
    'stalled',
    'awaiting',
    'takenOver',
    'paused',
    'retrying',
    'blocked',
  ];
  const words = all.map((standing) => stepStatus({ state: 'waiting', run: at(standing) }, false));
  expect(words).toEqual(['ready', 'running', 'running', 'awaiting', 'paused', 'paused', 'paused', 'blocked']);
});

test('one that is at none has its own, and a deferred one is deferred until it is decided about', () => {
  expect(stepStatus({ state: 'waiting', run: null }, false)).toBe('running');
  expect(stepStatus({ state: 'failed', run: at('blocked') }, false)).toBe('failed');
  expect(stepStatus({ state: 'blocked', run: null }, true)).toBe('deferred');
  expect(stepStatus({ state: 'done', run: null }, true)).toBe('done');
  expect(runAt({ state: 'done', run: at('working') })).toBeNull();
});
