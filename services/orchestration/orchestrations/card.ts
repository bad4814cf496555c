import type { Proposal } from '../../../core-wasm/core.ts';
import { bounded, dollars, lineOf } from '../text.ts';
import type { OrchestrationRow, OrchestrationStatus } from './schema.ts';

const HEADINGS: Record<OrchestrationStatus, string> = {
  proposed: 'Proposal, waiting for approval',
  approved: 'Approved, getting ready',
  executing: 'Executing',
  synthesizing: 'Putting the results together',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The card's message: Markdown for readers, and the id by which a client shows it live. */
export function cardOf(
  row: OrchestrationRow,
  proposal: Proposal,
): { body: string; data: Record<string, unknown> } {
  const { id: orchestrationId, status, revision, approvedRevision } = row;
  const lines = [
    `**${HEADINGS[status]}** · revision ${approvedRevision ?? revision}`,
    bounded(proposal.goal, 2_000, 'The whole goal is in the plan.'),
    `${count(proposal.tickets.length, 'sub-ticket')}, ${count(proposal.roles.length, 'role')}, budget ${dollars(row.budgetMicros)}`,
    ...(row.failureMessage ? [`${row.failureMessage}`] : []),
    ...(row.gaps && row.gaps.length > 0 ? [`Gaps: ${row.gaps.map((gap) => lineOf(gap)).join('; ')}`] : []),
  ];
  return { body: lines.join('\n\n'), data: { orchestrationId, status, revision, approvedRevision } };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
