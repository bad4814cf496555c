import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  askedAbout,
  filtered,
  filterFrom,
  itemBeside,
  kindOf,
  nextAfter,
  queueOf,
  SHOWS,
  type WaitingApproval,
} from './queue.ts';
import { type AgentState, type AgentTrouble, type StoppedRun, troublesOf } from './troubles.ts';

const approval = (id: string, createdAt: number, more: Partial<WaitingApproval> = {}): WaitingApproval => ({
  ...{ id, createdAt, kind: 'action', requester: 'agent:agt_1', subject: id, arguments: {}, digest: 'd' },
  ...{ status: 'pending', decidedBy: null, decidedAt: null, decision: null, grant: null, runId: null },
  ...{ rootRunId: null, spaceId: 'spc_1', conversationId: null, agentName: 'ceo', spaceName: 'Room' },
  ...more,
});
const agentAt = (runId: string | null, state: string, since: number): AgentState => ({
  ...{ agentId: `agt_${runId}`, name: 'qa', state, runId, conversationId: null, spaceId: 'spc_1' },
  ...{ errorFamily: null, since },
});
const trouble = (runId: string | null, state: string, since: number): AgentTrouble => ({
  ...agentAt(runId, state, since),
  ...{ isPaused: false, resumeAt: null, takenOverBy: null },
});
const NONE: ReadonlySet<string> = new Set();
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('what waited longest is first, and what went wrong comes after it', () => {
  const queue = queueOf(
    [approval('apr_new', 30), approval('apr_old', 10)],
    [],
    [trouble('run_2', 'failed', 5), trouble('run_1', 'blocked', 1), trouble('run_3', 'idle', 0)],
    new Set(),
  );
  expect(ids(queue)).toEqual(['apr_old', 'apr_new', 'run_1', 'run_2']);
  expect(queue.map(({ isFailure }) => isFailure)).toEqual([false, false, true, true]);
});

test('what was decided keeps its place, once, also while the server still lists it', () => {
  const settled = approval('apr_1', 10, { status: 'approved' });
  const queue = queueOf([approval('apr_1', 10), approval('apr_2', 20)], [settled], [], new Set());
  expect(ids(queue)).toEqual(['apr_1', 'apr_2']);
  expect(queue[0]).toMatchObject({ approval: { status: 'approved' } });
});

test('a failure of which people are asked already, or that has no run, is not shown', () => {
  const troubles = [trouble('run_1', 'failed', 1), trouble('run_2', 'failed', 2), trouble(null, 'failed', 3)];
  expect(ids(queueOf([], [], troubles, new Set(['run_1'])))).toEqual(['run_2']);
});

test('a run that is stuck is told once, whatever its agent does besides; one that people paused is no failure', () => {
  const stopped = (id: string, liveness: string): StoppedRun => ({
    ...{
      id,
      liveness,
      agentId: 'agt_1',
      agentName: 'ceo',
      conversationId: null,
      spaceId: 'spc_1',
      resumeAt: 9,
      takenOverBy: null,
      startedAt: null,
      createdAt: 7,
    },
    ...{ errorFamily: 'budget', budgetScope: `orc_${id}` },
  });
  const asking = approval('apr_1', 1, {
    ...{ kind: 'question', arguments: { about: 'budget', orchestrationId: 'orc_run_2' } },
  });
  const states = [agentAt('run_1', 'blocked', 5), agentAt('run_9', 'running', 6)];
  const runs = [stopped('run_1', 'blocked'), stopped('run_2', 'looping'), stopped('run_3', 'progressing')];
  // The budget of the second is asked about: the question is where it goes on.
  expect(askedAbout([asking], runs)).toEqual(['run_2']);
  const queue = queueOf([], [], troublesOf(states, runs), new Set());
  expect(queue.map(({ id, since, kind }) => [id, since, kind])).toEqual([
    ['run_1', 5, 'blocked'],
    ['run_2', 7, 'blocked'],
  ]);
  // Either can go on by a word; the one that failed for good cannot.
  expect(
    troublesOf([agentAt('run_8', 'failed', 1), ...states], runs).map(({ runId, isPaused, resumeAt }) => [
      runId,
      isPaused,
      resumeAt,
    ]),
  ).toEqual([
    ['run_8', false, null],
    ['run_1', true, 9],
    ['run_9', false, null],
    ['run_2', true, 9],
  ]);
});

test('kinds are told by what is asked', () => {
  const asked = (kind: WaitingApproval['kind'], args = {}) => kindOf({ kind, arguments: args });
  expect(asked('question', { question: 'Which?', choices: [] })).toBe('question');
  expect(asked('question', { about: 'budget' })).toBe('budget');
  expect(asked('orchestration', { kind: 'plan' })).toBe('plan');
  expect(asked('orchestration', { kind: 'orchestration' })).toBe('proposal');
  expect([asked('plan_exit'), asked('action'), asked('skill_override')]).toEqual([
    ...['planExit', 'action', 'skillOverride'],
  ] as never);
});

test('every item is in exactly one group beside all, and a space keeps its own', () => {
  const queue = queueOf(
    [
      approval('apr_1', 1),
      approval('apr_2', 2, { kind: 'question', spaceId: 'spc_2' }),
      approval('apr_3', 3, { kind: 'orchestration' }),
      approval('apr_4', 4, { kind: 'plan_exit' }),
    ],
    [],
    [trouble('run_1', 'failed', 1)],
    new Set(),
  );
  const groups = SHOWS.filter((show) => show !== 'all');
  const away = new Set(['apr_3']);
  const found = groups.flatMap((show) => ids(filtered(queue, { show, space: null }, away)));
  expect(found.sort()).toEqual(ids(queue).sort());
  expect(ids(filtered(queue, { show: 'later', space: null }, away))).toEqual(['apr_3']);
  expect(ids(filtered(queue, { show: 'all', space: null }, away))).not.toContain('apr_3');
  expect(ids(filtered(queue, { show: 'questions', space: 'spc_2' }, NONE))).toEqual(['apr_2']);
  expect(filtered(queue, { show: 'questions', space: 'spc_1' }, NONE)).toEqual([]);
  // A failure is of the space in which it happened.
  expect(ids(filtered(queue, { show: 'failures', space: 'spc_1' }, NONE))).toEqual(['run_1']);
  expect(filtered(queue, { show: 'failures', space: 'spc_2' }, NONE)).toEqual([]);
});

test('a filter that the address does not know shows all', () => {
  expect(filterFrom(new URLSearchParams('show=nonsense'))).toEqual({ show: 'all', space: null });
  expect(filterFrom(new URLSearchParams('show=plans&space=spc_1'))).toEqual({
    ...{ show: 'plans', space: 'spc_1' },
  });
});

test('walking stays inside, and going on finds what still waits, for any queue', () => {
  const list = fc.uniqueArray(fc.nat({ max: 50 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(list, fc.nat(), fc.func(fc.boolean()), (times, pick, settled) => {
      const items = queueOf(
        times.map((time) => approval(`apr_${time}`, time)),
        [],
        [],
        new Set(),
      );
      const at = pick % items.length;
      const id = items[at]?.id ?? '';
      expect(itemBeside(items, id, 1)?.id).toBe(items[Math.min(at + 1, items.length - 1)]?.id as string);
      expect(itemBeside(items, id, -1)?.id).toBe(items[Math.max(at - 1, 0)]?.id as string);
      const next = nextAfter(items, id, (one) => settled(one));
      const open = items.filter((item) => item.id !== id && !settled(item.id));
      if (next === null) expect(open).toEqual([]);
      else expect(ids(open)).toContain(next.id);
    }),
  );
});
