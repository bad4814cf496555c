import type { Estimate, Proposal, RuleScope } from '../../../core-wasm/core.ts';
import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import type { OrchestrationDetail } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { Approval } from '../client/client.ts';

/** A proposal as it is put before whoever decides. */
export interface ProposalView {
  workspaceId: string;
  id: string;
  revision: number;
  proposal: Proposal;
  estimate: Estimate;
}

/**
 * `leave` ends the job with the proposal waiting; `reread` asks again with the proposal as it then stands (a revision was
 * posted, or the signal told that someone else changed or decided it).
 */
export type Decision = 'approve' | 'leave' | 'reread' | { reject: string } | { requestChanges: string };

/** `later` leaves the question to be answered elsewhere; the job goes on and does not ask it again. */
export type Answer =
  | 'later'
  | { decision: 'approved'; answer?: string; grant?: Grant; ruleScope?: RuleScope }
  | { decision: 'refused'; reason?: string }
  | { decision: 'changesRequested'; reason: string };

/** How far an allowed action reaches: this call, the same call in its run, or its effect classes from now on. */
export type Grant = 'once' | 'run' | 'rule';

/** What a job asks of its caller. A signal aborts when the matter was settled elsewhere in the meantime. */
export interface JobHandlers {
  /** Whether a person is there who can answer; default: no, and the server is told so. */
  attending?: boolean;
  /** How long a person's word is waited for while nothing else of the job moves; default: without end. */
  personWaitMs?: number;
  decide(view: ProposalView, signal: AbortSignal): Promise<Decision>;
  /** Default: everything is left for later. */
  answer?(approval: Approval, signal: AbortSignal): Promise<Answer>;
  /** Whether a paused first run is to go on; default: no, which ends the job. */
  resume?(run: Run, signal: AbortSignal): Promise<boolean>;
  onProgress?(event: JobProgress): void;
}

export type JobProgress =
  | ({ type: 'started' } & JobTarget)
  /** An event of the workspace that belongs to the job. */
  | { type: 'event'; event: WorkspaceEvent }
  /** The job as it was just read. */
  | { type: 'state'; state: JobState }
  /** The server went away; it is being looked for. */
  | { type: 'interrupted' };

/** Where a job lives; `messageId` is null when an orchestration is followed that someone else asked for. */
export interface JobTarget {
  workspaceId: string;
  spaceId: string;
  conversationId: string;
  messageId: string | null;
  orchestrationId: string | null;
}

/** What the server knows of a job at one moment. */
export interface JobState {
  /** The run that the goal's message woke. */
  run: Run | null;
  orchestration: OrchestrationDetail | null;
  /** Waiting decisions of the job's runs, but for the proposal's own. */
  approvals: Approval[];
  /** Every run of the conversation, those of sub-agents included. */
  runs: Run[];
  /** Paused runs of the job's steps. */
  paused: Run[];
}

export type JobEnd =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'rejected'
  /** A person's word is waited for, and nobody is there to give it. */
  | 'waiting'
  /** The agent answered without a proposal. */
  | 'answered'
  /** The first run failed or was cancelled. */
  | 'runFailed'
  | 'runPaused';
