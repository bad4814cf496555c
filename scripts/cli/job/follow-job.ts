import { randomUUID } from 'node:crypto';
import { hasFaultCode } from '../../../services/kit/fault.ts';
import type { OrchestrationDetail } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { Approval, Client } from '../client/client.ts';
import { type Changes, followChanges } from './changes.ts';
import { createGates } from './gates.ts';
import type { Answer, JobEnd, JobHandlers, JobState, JobTarget } from './job.ts';
import { readJob } from './read-job.ts';
import { createRelevance } from './relevance.ts';
import { awaitsRevision, isMoving, lastRun, waitingItems } from './waiting.ts';

export interface FollowJob {
  target: JobTarget;
  /** Events after this one are followed. */
  afterSeq: number;
  handlers: JobHandlers;
  signal: AbortSignal;
  /** Start of the idempotency keys of its writes. */
  key: string;
}

export interface FollowedJob {
  end: JobEnd;
  state: JobState;
}

/**
 * Follows a job to its end, putting each decision that it needs before the handlers. Each round reads the state anew and
 * does at most one thing, so that it makes no difference when, or how often, the server was away in between.
 * @throws the signal's reason; CommandError when the server stays away
 */
export async function followJob(client: Client, job: FollowJob): Promise<FollowedJob> {
  const { handlers, target } = job;
  const relevant = createRelevance(target);
  const changes = followChanges({
    send: client.send,
    workspaceId: target.workspaceId,
    afterSeq: job.afterSeq,
    signal: job.signal,
    attending: handlers.attending ?? false,
    onEvent: (event) => relevant(event) && handlers.onProgress?.({ type: 'event', event }),
    onInterrupted: () => handlers.onProgress?.({ type: 'interrupted' }),
  });
  const round = createRounds(client, job, changes);
  const gates = createGates(client, target.workspaceId);
  const stall = createStall(handlers.personWaitMs ?? null);
  let ended = false;
  try {
    for (;;) {
      const state = await readJob(client, target);
      handlers.onProgress?.({ type: 'state', state });
      const isToGoOn = await gates(state);
      const turn = (isToGoOn ? null : endOf(state)) ?? (await round(state));
      if (turn === 'again') continue;
      const end = turn ?? (stall.leftMs(state) <= 0 ? 'waiting' : null);
      ended = end !== null;
      if (end !== null) return { end, state: await readJob(client, target) };
      await changes.next(stall.leftMs(state));
    }
  } finally {
    await changes.stop(ended);
  }
}

/** How the job ended, as far as the server's state alone says. */
function endOf(state: JobState): JobEnd | null {
  const { orchestration } = state;
  switch (orchestration?.status) {
    case 'completed':
    case 'failed':
    case 'cancelled':
      return orchestration.status;
    case undefined:
      return endOfRuns(state);
    default:
      return null;
  }
}

/** A run may leave plan mode's gate behind it, whose decision wakes its agent again. */
function endOfRuns({ runs, run, approvals }: JobState): JobEnd | null {
  if (run === null) return null;
  const status = lastRun(runs)?.status;
  if (status === 'completed') return approvals.length > 0 ? null : 'answered';
  return status === 'failed' || status === 'cancelled' ? 'runFailed' : null;
}

/** Measures how long a job has been standing still for want of a person. */
function createStall(limitMs: number | null) {
  let since: number | null = null;
  return {
    /** What is left of the limit; infinite while something moves. */
    leftMs(state: JobState): number {
      const stands = limitMs !== null && !isMoving(state) && waitingItems(state).length > 0;
      since = stands ? (since ?? Date.now()) : null;
      return limitMs === null || since === null ? Number.POSITIVE_INFINITY : since + limitMs - Date.now();
    },
  };
}

type Round = JobEnd | 'again' | null;

/** Does the first thing that the state asks for; null when there is nothing but to wait. */
function createRounds(client: Client, job: FollowJob, changes: Changes) {
  // What was decided, or left for later, is not asked again, also while the server has yet to carry a decision out.
  const settled = new Set<string>();
  return async (state: JobState): Promise<Round> => {
    const approval = state.approvals.find((one) => !settled.has(one.id));
    if (approval) return answerApproval(client, job, changes, approval, settled);
    const { orchestration, run } = state;
    const isOpen = orchestration?.status === 'proposed' && !awaitsRevision(orchestration);
    if (isOpen && !settled.has(revisionOf(orchestration))) {
      return decideProposal(client, job, changes, orchestration, settled);
    }
    const waits = state.approvals.length > 0;
    if (run?.status === 'paused' && orchestration === null && !waits)
      return resumeRun(client, job, changes, run);
    return null;
  };
}

async function answerApproval(
  client: Client,
  job: FollowJob,
  changes: Changes,
  approval: Approval,
  settled: Set<string>,
): Promise<Round> {
  const { signal, release } = changes.settled(approval.id);
  const answer: Answer = (await job.handlers.answer?.(approval, signal).finally(release)) ?? 'later';
  job.signal.throwIfAborted();
  if (signal.aborted) return 'again';
  settled.add(approval.id);
  if (answer !== 'later') {
    const decision = { ...answer, digest: approval.digest };
    await unlessSettled(
      client.decide(job.target.workspaceId, approval.id, decision, `${job.key}/${approval.id}`),
    );
  }
  return 'again';
}

async function decideProposal(
  client: Client,
  job: FollowJob,
  changes: Changes,
  orchestration: OrchestrationDetail,
  settled: Set<string>,
): Promise<Round> {
  const { id, revision, proposal, estimate } = orchestration;
  const { workspaceId } = job.target;
  const { signal, release } = changes.settled(id);
  const view = { workspaceId, id, revision, proposal, estimate };
  const decision = await job.handlers.decide(view, signal).finally(release);
  job.signal.throwIfAborted();
  if (decision === 'leave') return 'waiting';
  if (decision === 'reread') return 'again';
  settled.add(revisionOf(orchestration));
  if (decision === 'approve') {
    const key = `${job.key}/approve/${id}/${revision}`;
    await unlessSettled(client.approve(workspaceId, id, { revision }, key));
    return 'again';
  }
  if ('requestChanges' in decision) {
    const body = { reason: decision.requestChanges, revision };
    const key = `${job.key}/changes/${id}/${revision}`;
    await unlessSettled(client.requestChanges(workspaceId, id, body, key));
    return 'again';
  }
  const rejected = await unlessSettled(
    client.reject(workspaceId, id, decision.reject, `${job.key}/reject/${id}`),
  );
  return rejected ? 'rejected' : 'again';
}

function revisionOf({ id, revision }: OrchestrationDetail): string {
  return `${id}/${revision}`;
}

async function resumeRun(client: Client, job: FollowJob, changes: Changes, run: Run): Promise<Round> {
  const { signal, release } = changes.settled(run.id);
  const resume = (await job.handlers.resume?.(run, signal).finally(release)) ?? false;
  job.signal.throwIfAborted();
  if (!resume) return 'runPaused';
  await unlessSettled(client.resumeRun(job.target.workspaceId, run.id, `${job.key}/resume/${randomUUID()}`));
  return 'again';
}

/** False when someone else was first, or this very call was and its answer was lost: the state says which. */
async function unlessSettled(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (hasFaultCode(error, 'already_decided', 'wrong_status', 'stale_revision', 'conflict')) return false;
    throw error;
  }
}
