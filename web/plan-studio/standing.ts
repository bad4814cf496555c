import type {
  Standing,
  StepRun,
  StepView,
} from '../../services/orchestration/orchestrations/orchestration.ts';
import type { StatusWord } from '../ui/status-words.ts';

const STEP: Record<StepView['state'], StatusWord> = {
  blocked: 'pending',
  ready: 'ready',
  running: 'running',
  waiting: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
  parked: 'blocked',
};

const RUN: Record<Standing, StatusWord> = {
  queued: 'ready',
  working: 'running',
  stalled: 'running',
  awaiting: 'awaiting',
  takenOver: 'paused',
  paused: 'paused',
  retrying: 'paused',
  blocked: 'blocked',
};

type StepFacts = Pick<StepView, 'state' | 'run'>;

/** The run that a step is at, if it is at one. */
export const runAt = ({ state, run }: StepFacts): StepRun | null =>
  state === 'running' || state === 'waiting' ? (run ?? null) : null;

/** A step in the words of the whole app: what its run stands at, while it is at one; deferred until that is decided about. */
export function stepStatus(step: StepFacts, isDeferred: boolean): StatusWord {
  if (isDeferred && step.state === 'blocked') return 'deferred';
  const run = runAt(step);
  return run ? RUN[run.standing] : STEP[step.state];
}

/** Steps in which somebody works. */
const COUNTED: readonly StepView['kind'][] = ['research', 'position', 'ticket', 'synthesis'];

/** What needs a person first comes first. */
const STANDING: readonly StatusWord[] = ['awaiting', 'blocked', 'paused'];

/** How many steps in which somebody works are under way, and how many of them stand still, by why. */
export function standingCounts(steps: readonly (StepFacts & Pick<StepView, 'kind'>)[]) {
  const words = steps.filter(isUnderWay).map((step) => stepStatus(step, false));
  const having = (wanted: StatusWord) => words.filter((word) => word === wanted).length;
  return {
    running: having('running') + having('ready'),
    awaiting: having('awaiting'),
    halted: having('paused'),
    blocked: having('blocked'),
  };
}

const UNDER_WAY: readonly StepView['state'][] = ['running', 'waiting', 'parked'];
const isUnderWay = ({ state, kind }: Pick<StepView, 'state' | 'kind'>): boolean =>
  UNDER_WAY.includes(state) && COUNTED.includes(kind);

/** The step that waits for a person most. */
export function firstStanding<Step extends StepFacts>(steps: readonly Step[]): Step | undefined {
  const found = STANDING.map((word) =>
    steps.find((step) => runAt(step) !== null && stepStatus(step, false) === word),
  );
  return found.find((step) => step !== undefined);
}
