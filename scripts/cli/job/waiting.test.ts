import { expect, test } from 'bun:test';
import { sampleApproval, sampleOrchestration, sampleRun, sampleStep } from '../testing/sample.ts';
import type { JobState } from './job.ts';
import { awaitsRevision, decideCommands, isMoving, waitingItems } from './waiting.ts';

const state = (change: Partial<JobState>): JobState => ({
  run: null,
  orchestration: null,
  approvals: [],
  runs: [],
  paused: [],
  ...change,
});
const RUN = sampleRun().id;
const asked = sampleApproval({ runId: RUN });

test('a goal that no run has taken up yet is moving, and so is a run at work', () => {
  expect(isMoving(state({}))).toBe(true);
  expect(isMoving(state({ runs: [sampleRun({ status: 'queued' })] }))).toBe(true);
  expect(isMoving(state({ runs: [sampleRun()] }))).toBe(true);
});

test('a run that waits for a person stands still, and with it the one that waits for its sub-agent', () => {
  const root = sampleRun({ liveness: 'waiting' });
  expect(isMoving(state({ runs: [root], approvals: [asked] }))).toBe(false);
  const child = sampleRun({ id: 'run_child', parentRunId: RUN, rootRunId: RUN });
  const childAsks = sampleApproval({ runId: 'run_child', rootRunId: RUN });
  expect(isMoving(state({ runs: [root, child], approvals: [childAsks] }))).toBe(false);
  const sibling = sampleRun({ id: 'run_sibling', parentRunId: RUN, rootRunId: RUN });
  expect(isMoving(state({ runs: [root, child, sibling], approvals: [childAsks] }))).toBe(true);
});

test('a pipeline stands still when no step goes on but those that a person holds up', () => {
  const working = (steps: ReturnType<typeof sampleStep>[], change: Partial<JobState> = {}) =>
    isMoving(state({ orchestration: sampleOrchestration({ status: 'executing', steps }), ...change }));
  const held = sampleStep({ state: 'waiting', runId: RUN });
  expect(working([])).toBe(true);
  expect(working([held])).toBe(true);
  expect(working([held], { approvals: [asked] })).toBe(false);
  expect(working([held], { paused: [sampleRun({ status: 'paused' })] })).toBe(false);
  expect(working([held, sampleStep({ key: 'b', state: 'running' })], { approvals: [asked] })).toBe(true);
  expect(working([sampleStep({ state: 'parked' }), sampleStep({ key: 'b', state: 'blocked' })])).toBe(false);
  expect(working([sampleStep({ state: 'done' })])).toBe(true);
  const suspended = sampleOrchestration({ status: 'executing', steps: [held], pipelineStatus: 'suspended' });
  expect(isMoving(state({ orchestration: suspended }))).toBe(false);
});

test('a pipeline stands still at gates that wait for an approval, and says how to open them', () => {
  const gate = (key: string, change = {}) =>
    sampleStep({ key: `gate/${key}`, kind: 'gate', role: null, state: 'waiting', ...change });
  const orchestration = (...steps: ReturnType<typeof sampleStep>[]) =>
    sampleOrchestration({ status: 'executing', steps, deferred: ['b', 'c', 'd'] });
  const closed = orchestration(gate('b'), gate('c'), gate('d', { state: 'blocked' }));
  expect(isMoving(state({ orchestration: closed }))).toBe(false);
  const working = orchestration(gate('b'), sampleStep({ state: 'waiting', runId: RUN }));
  expect(isMoving(state({ orchestration: working }))).toBe(true);
  const { id } = closed;
  expect(waitingItems(state({ orchestration: closed }))).toEqual([
    {
      ...{ kind: 'deferred', id, subject: `b, c of ${id}` },
      commands: [
        `cctl approve-deferred ${id} --tickets b,c`,
        ...['b', 'c'].map((key) => `cctl steps skip ${id} gate/${key}`),
      ],
    },
  ]);
});

test('a proposal of which changes were asked waits for its agent while that is at work', () => {
  const orchestration = sampleOrchestration({ changesRequestedRevision: 1 });
  expect(awaitsRevision(orchestration)).toBe(true);
  expect(awaitsRevision(sampleOrchestration({ revision: 2, changesRequestedRevision: 1 }))).toBe(false);
  const reviser = sampleRun({ trigger: { kind: 'followUp', id: 'apr_1' } });
  expect(isMoving(state({ orchestration, runs: [reviser] }))).toBe(true);
  expect(isMoving(state({ orchestration, runs: [sampleRun({ status: 'failed' })] }))).toBe(false);
  expect(waitingItems(state({ orchestration }))).toMatchObject([{ kind: 'revision' }]);
});

test('all that waits is named with the commands that decide it', () => {
  const orchestration = sampleOrchestration({
    status: 'executing',
    steps: [sampleStep({ state: 'parked', error: 'interrupted' })],
  });
  const items = waitingItems(
    state({
      orchestration,
      approvals: [asked, sampleApproval({ id: 'apr_2', kind: 'plan_exit', subject: 'Leave plan mode' })],
      paused: [sampleRun({ status: 'paused', summary: 'No key.' })],
    }),
  );
  expect(items).toEqual([
    {
      kind: 'question',
      id: asked.id,
      subject: 'Which port?',
      commands: decideCommands(asked.id, 'question'),
    },
    {
      kind: 'plan_exit',
      id: 'apr_2',
      subject: 'Leave plan mode',
      commands: [
        'cctl decide apr_2 approve',
        'cctl decide apr_2 refuse --reason TEXT',
        'cctl decide apr_2 changes --reason TEXT',
      ],
    },
    {
      kind: 'run',
      id: RUN,
      subject: 'ceo is paused: No key.',
      commands: [`cctl runs resume ${RUN}`, `cctl runs cancel ${RUN}`],
    },
    {
      kind: 'step',
      id: 'ticket/api',
      subject: `step ticket/api of ${orchestration.id}: interrupted`,
      commands: [
        `cctl steps retry ${orchestration.id} ticket/api`,
        `cctl steps skip ${orchestration.id} ticket/api`,
      ],
    },
  ]);
  expect(decideCommands('apr_3', 'action').length).toBe(2);
});
