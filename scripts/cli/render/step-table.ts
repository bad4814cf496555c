import type { Standing, StepView } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-text.ts';
import { duration, money, moneyOrUnknown } from './amounts.ts';
import { table } from './table.ts';

type State = StepView['state'];

const MARKS: Record<State, { mark: string; paint: keyof Paint }> = {
  blocked: { mark: '·', paint: 'dim' },
  ready: { mark: '○', paint: 'dim' },
  running: { mark: '▶', paint: 'cyan' },
  waiting: { mark: '▶', paint: 'cyan' },
  parked: { mark: '!', paint: 'yellow' },
  done: { mark: '✓', paint: 'green' },
  failed: { mark: '✗', paint: 'red' },
  skipped: { mark: '-', paint: 'dim' },
  cancelled: { mark: '-', paint: 'dim' },
};

/** Every step with its state, time and cost. `nowMs` gives running steps their time so far. */
export function stepTable(steps: readonly StepView[], paint: Paint, nowMs: number): string {
  const columns = [
    { title: ' ' },
    { title: 'STEP', max: 36 },
    { title: 'ROLE', max: 20 },
    { title: 'STATE', max: 20 },
    { title: 'TIME', align: 'right' as const },
    { title: 'COST', align: 'right' as const },
    { title: '', max: 60 },
  ];
  const [heading, ...lines] = table(
    columns,
    steps.map((step) => cells(step, nowMs)),
    'No steps yet.',
  ).split('\n');
  const painted = lines.map((line, i) => paint[MARKS[steps[i]?.state ?? 'blocked'].paint](line));
  return [paint.bold(heading ?? ''), ...painted].join('\n');
}

function cells(step: StepView, nowMs: number): string[] {
  const state = step.state === 'waiting' ? waitingText(step) : step.state;
  const isHeld = (step.state === 'waiting' && step.kind === 'gate') || isForPerson(step);
  return [
    isHeld ? '!' : MARKS[step.state].mark,
    step.key,
    step.role ?? '',
    step.attempt > 1 ? `${state} (attempt ${step.attempt})` : state,
    stepTime(step, nowMs),
    stepCost(step),
    troubleOf(step),
  ];
}

/** The engine's word sounds as if a person were waited for; at a gate one is, else it is the agent's run. */
function waitingText({ kind, runId, run }: StepView): string {
  if (kind === 'gate') return 'deferred';
  if (run !== null) return STANDINGS[run.standing];
  return runId === null ? 'waiting' : 'awaits its run';
}

/** What the step's run stands at. */
const STANDINGS: Record<Standing, string> = {
  queued: 'its run is queued',
  working: 'its run works',
  stalled: 'its run is silent',
  awaiting: 'awaits a decision',
  takenOver: 'taken over',
  paused: 'paused',
  retrying: 'tries again later',
  blocked: 'stopped by trouble',
};
const FOR_PERSON: ReadonlySet<Standing> = new Set(['awaiting', 'takenOver', 'paused', 'blocked']);

function isForPerson({ state, run }: StepView): boolean {
  return state === 'waiting' && run !== null && FOR_PERSON.has(run.standing);
}

/** Why a step failed, or what its run stopped for. */
function troubleOf({ error, run }: StepView): string {
  const isStopped = run !== null && (run.standing === 'blocked' || run.standing === 'retrying');
  return plainLine(error ?? (isStopped ? (run.summary ?? '') : ''), 60);
}

/** Empty for what has not begun. */
function stepTime(step: StepView, nowMs: number): string {
  if (step.startedAt === null) return '';
  return duration(Math.max(0, (step.endedAt ?? nowMs) - step.startedAt));
}

/** Empty for a step without a run and while its run goes on; a cost that stays unknown says so. */
function stepCost(step: StepView): string {
  const isPending = step.costMicros === null && step.endedAt === null;
  return step.runId === null || isPending ? '' : moneyOrUnknown(step.costMicros);
}

/** A total with an unknown part is a lower bound. */
export function spentText(spentMicros: number, costUnknown: boolean): string {
  if (!costUnknown) return money(spentMicros);
  return spentMicros === 0 ? 'unknown' : `at least ${money(spentMicros)} (some of it unknown)`;
}
