import type {
  Orchestration,
  OrchestrationDetail,
} from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { Approval, Client } from '../client/client.ts';
import type { JobState, JobTarget } from './job.ts';

/**
 * A job's state, from the server alone: nothing need be remembered across a restart of it. The run is read before the
 * orchestration, so that a run seen ended has no proposal still to come.
 */
export async function readJob(client: Client, target: JobTarget): Promise<JobState> {
  const { workspaceId, conversationId, messageId } = target;
  const runs = await client.runs(workspaceId, { conversationId });
  const run = runs.find(({ trigger }) => trigger.kind === 'userMessage' && trigger.id === messageId) ?? null;
  const orchestration = await currentOrchestration(client, target, run);
  const pending = await client.approvals(workspaceId, { status: 'pending' });
  const paused = await pausedSteps(client, workspaceId, orchestration);
  const approvals = pending.filter(belongsTo(target, orchestration, run?.id ?? null));
  return { run, runs, orchestration, approvals, paused };
}

async function pausedSteps(
  client: Client,
  workspaceId: string,
  orchestration: OrchestrationDetail | null,
): Promise<Run[]> {
  const ids = new Set((orchestration?.steps ?? []).map((step) => step.runId));
  ids.delete(null);
  if (ids.size === 0) return [];
  return (await client.runs(workspaceId, { status: 'paused' })).filter((run) => ids.has(run.id));
}

async function currentOrchestration(
  client: Client,
  target: JobTarget,
  run: Run | null,
): Promise<OrchestrationDetail | null> {
  if (target.orchestrationId !== null) {
    return client.orchestration(target.workspaceId, target.orchestrationId);
  }
  const all = await client.orchestrations(target.workspaceId);
  const own = all.filter((one) => one.conversationId === target.conversationId && !endedBefore(one, run));
  const latest = latestOf(own);
  return latest ? client.orchestration(target.workspaceId, latest.id) : null;
}

/** What had ended in the conversation before the goal came is no part of the job. */
function endedBefore({ status, updatedAt }: Orchestration, run: Run | null): boolean {
  const hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
  return hasEnded && (run === null || updatedAt < run.createdAt);
}

/** A cancelled proposal counts only when no other follows or precedes it. */
function latestOf(orchestrations: readonly Orchestration[]): Orchestration | undefined {
  const byAge = [...orchestrations].sort((a, b) => a.createdAt - b.createdAt);
  return byAge.findLast((one) => one.status !== 'cancelled') ?? byAge.at(-1);
}

/** Tells whether an approval is one of the job's runs', and not its proposal's own. */
export function belongsTo(
  target: JobTarget,
  orchestration: OrchestrationDetail | null,
  runId: string | null,
) {
  const spaces = new Set([target.spaceId, orchestration?.discussionSpaceId, orchestration?.workSpaceId]);
  const runs = new Set([runId, ...(orchestration?.steps ?? []).map((step) => step.runId)]);
  runs.delete(null);
  return (approval: Approval) =>
    approval.kind !== 'orchestration' &&
    ((approval.spaceId !== null && spaces.has(approval.spaceId)) ||
      [approval.runId, approval.rootRunId].some((id) => id !== null && runs.has(id)));
}
