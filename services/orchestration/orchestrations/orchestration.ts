import type { Estimate, Proposal, StepKind } from '../../../core-wasm/core.ts';
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

export type Orchestration = Omit<OrchestrationRow, Bookkeeping> & {
  failure: { code: string; message: string } | null;
};

export interface StepView {
  key: string;
  kind: StepKind;
  title: string;
  role: string | null;
  agentId: string | null;
  needs: string[];
  state: StepState;
  attempt: number;
  runId: string | null;
  ticketId: string | null;
  /** Null while no run has ended, and when the cost of one is unknown. */
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
