import type { Bench } from '../bench.ts';
import type { TicketStatus } from '../ports.ts';
import { lineOf } from '../text.ts';
import { hasEnded } from './orchestration.ts';
import { ensureApproval, patchCard } from './publish.ts';
import type { OrchestrationRow } from './schema.ts';

/** Carries the pipeline's end to the orchestration. */
export async function finish(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (!row.pipelineRunId || !['executing', 'synthesizing'].includes(row.status)) return;
  const run = { workspaceId, runId: row.pipelineRunId };
  const status = (await bench.pipelines.run(run))?.status;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return;
  const failures = status === 'failed' ? await failureText(bench, workspaceId, row.pipelineRunId) : null;
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.finish',
    set: { status, failureCode: failures === null ? null : 'pipeline_failed', failureMessage: failures },
    from: ['executing', 'synthesizing'],
    event: {
      type: status,
      actor: 'service:orchestration',
      data: failures === null ? {} : { message: failures },
    },
  });
}

async function failureText(bench: Bench, workspaceId: string, runId: string): Promise<string> {
  const steps = await bench.pipelines.steps({ workspaceId, runId });
  const failed = steps.filter((step) => step.state === 'failed');
  const shown = failed.slice(0, 5).map((step) => `${step.key}: ${lineOf(step.error ?? 'failed', 500)}`);
  const more = failed.length > shown.length ? ` And ${failed.length - shown.length} more.` : '';
  return `The work could not be finished. ${shown.join(' ')}${more}`;
}

const TICKET_ENDS: readonly TicketStatus[] = ['done', 'failed', 'cancelled'];

/**
 * Closes what an ended orchestration leaves open: steps and runs in flight, approvals, sub-tickets, the parent ticket and
 * the card. Every part may be repeated.
 */
export async function settle(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (!hasEnded(row.status) || row.settled) return;
  if (row.status === 'cancelled') await stopWork(bench, workspaceId, row);
  await closeApprovals(bench, workspaceId, row);
  await closeTickets(bench, workspaceId, row);
  await patchCard(bench, workspaceId, row.id);
  // What failed or was cancelled may be looked at or taken up again; what is delivered is on the branch.
  if (row.status === 'completed') await bench.runs(workspaceId).closeWorktrees(row.id);
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.settle',
    set: { settled: true },
    from: [row.status],
  });
}

async function stopWork(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (row.pipelineRunId) await bench.engine.cancel({ workspaceId, runId: row.pipelineRunId });
  if (row.approvedRevision !== null) await bench.runs(workspaceId).cancelRuns(row.id);
}

async function closeApprovals(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  const spaces = bench.spaces(workspaceId);
  if (row.approvedRevision === null) {
    const isRecorded = row.approvalId !== null && row.publishedRevision === row.revision;
    // A crash may have left the newest approval unrecorded; its key finds it.
    const approvalId = isRecorded ? row.approvalId : await ensureApproval(bench, workspaceId, row);
    if (approvalId) await spaces.supersedeApproval(approvalId);
    if (row.approvalId && row.approvalId !== approvalId) await spaces.supersedeApproval(row.approvalId);
  }
  if (row.budgetApprovalId) await spaces.supersedeApproval(row.budgetApprovalId);
}

async function closeTickets(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (!row.parentTicketId) return;
  const spaces = bench.spaces(workspaceId);
  for (const ticket of await spaces.listTickets({ parentId: row.parentTicketId })) {
    if (!TICKET_ENDS.includes(ticket.status)) await spaces.patchTicket(ticket.id, { status: 'cancelled' });
  }
  const status = row.status === 'completed' ? 'done' : row.status === 'failed' ? 'failed' : 'cancelled';
  if (row.status === 'failed' && row.failureMessage) {
    // The version tells this end from one before a retry.
    const key = `${row.id}/failed/${row.version}`;
    await spaces.commentTicket(row.parentTicketId, { key, body: row.failureMessage });
  }
  await spaces.patchTicket(row.parentTicketId, { status });
}
