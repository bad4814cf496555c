import type { Actor } from '../../kit/actor.ts';
import type { ErrorFamily, Liveness } from '../harness/outcome.ts';
import type { RunPhase } from '../runs/schema.ts';

/**
 * What an unfinished run stands at. `queued` has not begun; of `working` and `stalled` a loop is at it, `stalled` silent for
 * long; `awaiting` a person's decision or answer; `takenOver` and `paused` by a person; `retrying` was stopped by trouble
 * that passes and goes on by itself; `blocked` was stopped by something that a person has to mend.
 */
export type Standing =
  | 'queued'
  | 'working'
  | 'stalled'
  | 'awaiting'
  | 'takenOver'
  | 'paused'
  | 'retrying'
  | 'blocked';

/** What is read of the run at which a tree stands; `takenOverBy` is of its root. */
export interface StandingFacts {
  phase: RunPhase;
  liveness: Liveness;
  errorFamily: ErrorFamily | null;
  waitingFor: string | null;
  startedAt: number | null;
  resumeAt: number | null;
  pauseRequestedBy: Actor | null;
  takenOverBy: Actor | null;
}

export function standingFor(facts: StandingFacts): Standing {
  const { phase, liveness, errorFamily, startedAt, resumeAt, pauseRequestedBy, takenOverBy } = facts;
  if (takenOverBy !== null) return 'takenOver';
  if (phase === 'waiting') return 'awaiting';
  if (phase === 'paused' && pauseRequestedBy === null && errorFamily !== null)
    return resumeAt === null ? 'blocked' : 'retrying';
  if (phase === 'paused') return 'paused';
  if (startedAt === null) return 'queued';
  return liveness === 'stalled' ? 'stalled' : 'working';
}
