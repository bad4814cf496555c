import type {
  Orchestration,
  OrchestrationDetail,
} from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Approval, Client } from '../client/client.ts';
import type { JobState, JobTarget } from './job.ts';

/**
 * A job's state, from the server alone: nothing need be remembered across a restart of it. The run is read before the
 * orchestration, so that a run seen ended has no proposal still to come.
 */
export async function readJob(client: Client, target: JobTarget): Promise<JobState> {
  const run = target.messageId === null ? null : await firstRun(client, target, target.messageId);
  const orchestration = await currentOrchestration(client, target);
  const pending = await client.approvals(target.workspaceId, { status: 'pending' });
  const belongs = belongsTo(target, orchestration, run?.id ?? null);
  return { run, orchestration, approvals: pending.filter(belongs) };
}

async function firstRun(client: Client, target: JobTarget, messageId: string) {
  const runs = await client.runs(target.workspaceId, { conversationId: target.conversationId });
  return runs.find((run) => run.trigger.kind === 'userMessage' && run.trigger.id === messageId) ?? null;
}

async function currentOrchestration(client: Client, target: JobTarget): Promise<OrchestrationDetail | null> {
  if (target.orchestrationId !== null) {
    return client.orchestration(target.workspaceId, target.orchestrationId);
  }
  const all = await client.orchestrations(target.workspaceId);
  const latest = latestOf(all.filter((one) => one.conversationId === target.conversationId));
  return latest ? client.orchestration(target.workspaceId, latest.id) : null;
}

/** A cancelled proposal counts only when no other follows or precedes it. */
function latestOf(orchestrations: readonly Orchestration[]): Orchestration | undefined {
  const byAge = [...orchestrations].sort((a, b) => a.createdAt - b.createdAt);
  return byAge.findLast((one) => one.status !== 'cancelled') ?? byAge.at(-1);
}

function belongsTo(target: JobTarget, orchestration: OrchestrationDetail | null, runId: string | null) {
  const spaces = new Set([target.spaceId, orchestration?.discussionSpaceId, orchestration?.workSpaceId]);
  const runs = new Set([runId, ...(orchestration?.steps ?? []).map((step) => step.runId)]);
  runs.delete(null);
  return (approval: Approval) =>
    approval.kind !== 'orchestration' &&
    ((approval.spaceId !== null && spaces.has(approval.spaceId)) ||
      (approval.runId !== null && runs.has(approval.runId)));
}
