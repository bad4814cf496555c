import type { Bench } from '../bench.ts';
import { lineOf } from '../text.ts';
import { cardOf } from './card.ts';
import type { OrchestrationRow } from './schema.ts';
import { atRevision } from './store.ts';

/**
 * Puts the newest revision before people: the parent ticket, the card and an approval of exactly this revision. Each is
 * made under a key of the orchestration, so that going on after a crash makes nothing twice.
 */
export async function publish(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const { store, spaces } = bench;
  for (;;) {
    const row = await store.get(workspaceId, id);
    if (row.status !== 'proposed' || row.publishedRevision >= row.revision) return;
    await ensureParentTicket(bench, workspaceId, row);
    await ensureCard(bench, workspaceId, row);
    // The older approval goes first: at no moment can two revisions be approved.
    if (row.approvalId) await spaces(workspaceId).supersedeApproval(row.approvalId);
    await ensureApproval(bench, workspaceId, row);
  }
}

/** Publishes in the lane; what a passing failure leaves undone is pursued in the background. */
export async function published(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const lane = `${workspaceId}/${id}`;
  try {
    await bench.lanes.run(lane, () => publish(bench, workspaceId, id));
  } catch (error) {
    bench.lanes.pursue(lane, () => publish(bench, workspaceId, id));
    throw error;
  }
}

async function ensureParentTicket(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (row.parentTicketId) return;
  const ticket = await bench.spaces(workspaceId).createTicket({
    ...{ key: `${row.id}/parent`, title: lineOf(row.goal), description: row.goal, status: 'open' },
    ...{ assignee: null, parentId: null, spaceId: row.spaceId, projectId: null },
    provenance: { kind: 'pipelineStep', id: row.id },
  });
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.ticket',
    set: { parentTicketId: ticket.id },
  });
}

async function ensureCard(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (row.messageId) return patchCard(bench, workspaceId, row.id);
  const card = cardOf(row, await bench.revisions.proposal(workspaceId, row.id, row.revision));
  const message = await bench.spaces(workspaceId).postMessage(row.proposedBy, row.conversationId, {
    ...{ key: `${row.id}/card`, kind: row.kind === 'plan' ? 'plan' : 'proposal', ...card },
  });
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.card',
    set: { messageId: message.id },
  });
}

/** Records the approval of the row's revision; its id is what a decision must name. */
export async function ensureApproval(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
): Promise<string> {
  const approval = await bench.spaces(workspaceId).createApproval({
    ...{ key: `${row.id}/approval/${row.revision}`, kind: 'orchestration', requester: row.proposedBy },
    subject: `Approve revision ${row.revision} of ${row.kind === 'plan' ? 'the plan' : 'the proposal'}: ${lineOf(row.goal)}`,
    arguments: { orchestrationId: row.id, revision: row.revision, kind: row.kind },
    ...{ runId: row.runId, spaceId: row.spaceId, conversationId: row.conversationId },
  });
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.publish',
    set: { approvalId: approval.id, publishedRevision: row.revision },
    when: [atRevision(row.revision)],
  });
  return approval.id;
}

/** Renders the card again from the row as it is now. */
export async function patchCard(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const row = await bench.store.get(workspaceId, id);
  if (!row.messageId) return;
  const proposal = await bench.revisions.proposal(workspaceId, id, row.approvedRevision ?? row.revision);
  await bench.spaces(workspaceId).patchMessage(row.messageId, cardOf(row, proposal));
}
