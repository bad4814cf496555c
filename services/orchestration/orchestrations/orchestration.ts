import type { Estimate, Proposal, StepKind } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { StepState } from '../engine/engine.ts';
import type { OrchestrationRow, OrchestrationStatus, Tokens } from './schema.ts';

type Bookkeeping =
  | 'key'
  | 'publishedRevision'
  | 'appliedBudgetMicros'
  | 'settled'
  | 'lastAgentRevisionAt'
  | 'spaceReturnVersion'
  | 'failureCode'
  | 'failureMessage';

/** `spentMicros` and `costUnknown`: see `withSpending`. */
export type Orchestration = Omit<OrchestrationRow, Bookkeeping> & {
  failure: { code: string; message: string } | null;
};

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

/** The run of a step while it has not ended, and what stands in its way. */
export interface StepRun {
  /** The step's own run. */
  id: string;
  standing: Standing;
  /** The run of its tree at which it stands and of which the rest is said: itself, or a sub-agent whose end it waits for. */
  atRunId: string;
  agentId: string;
  agentName: string;
  /** What a person has to decide; null unless that is awaited. */
  approvalId: string | null;
  /** A stable code, one of the runs service. */
  errorFamily: string | null;
  /** One sentence for people, in English. */
  summary: string | null;
  /** When it goes on by itself. */
  resumeAt: number | null;
  takenOverBy: Actor | null;
  pausedBy: Actor | null;
  /** Since when it waits, is paused or is queued; null while a loop is at it. */
  since: number | null;
}

export interface StepView {
  key: string;
  kind: StepKind;
  title: string;
  role: string | null;
  agentId: string | null;
  needs: string[];
  state: StepState;
  attempt: number;
  /** The newest run. */
  runId: string | null;
  /** The newest run while it has not ended; null then, and without one. */
  run: StepRun | null;
  ticketId: string | null;
  /** Of all runs of the step with their sub-agents, one at work so far; null before the first, and when a part is unknown. */
  costMicros: number | null;
  tokens: Tokens;
  startedAt: number | null;
  endedAt: number | null;
  error: string | null;
}

/** What each sub-ticket declares that it touches; null where it declares nothing, which is unknown, not nothing. */
export interface BlastRadius {
  tickets: Record<string, { kind: 'symbol' | 'file'; value: string }[] | null>;
  declared: number;
  unknown: number;
}

export type OrchestrationDetail = Orchestration & {
  proposal: Proposal;
  estimate: Estimate;
  steps: StepView[];
  blastRadius: BlastRadius;
  /** Null until the pipeline has started. `suspended` while a budget question is open. */
  pipelineStatus: 'running' | 'suspended' | 'completed' | 'failed' | 'cancelled' | null;
};

const ENDS: readonly OrchestrationStatus[] = ['completed', 'failed', 'cancelled'];

export function hasEnded(status: OrchestrationStatus): boolean {
  return ENDS.includes(status);
}

/** Sub-tickets whose approval the work still waits for; none before it was approved in part and once all are dealt with. */
export function deferredOf({ status, deferred }: OrchestrationRow): string[] {
  return status === 'approved' || status === 'executing' ? deferred : [];
}

/** The entity behind a row, without the service's bookkeeping. */
export function orchestrationOf(row: OrchestrationRow): Orchestration {
  const { key, publishedRevision, appliedBudgetMicros, settled, lastAgentRevisionAt, ...rest } = row;
  const { failureCode, failureMessage, spaceReturnVersion, ...entity } = rest;
  return {
    ...entity,
    deferred: deferredOf(row),
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
  };
}
