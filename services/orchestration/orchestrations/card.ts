import { DEFAULT_PLAN_BUDGET_MICROS, type Proposal } from '../../../core-wasm/core.ts';
import { bounded, dollars, lineOf } from '../text.ts';
import { deferredOf } from './orchestration.ts';
import type { OrchestrationRow, OrchestrationStatus } from './schema.ts';

const HEADINGS: Record<Exclude<OrchestrationStatus, 'proposed'>, string> = {
  approved: 'Approved, getting ready',
  executing: 'Executing',
  synthesizing: 'Putting the results together',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The card's message: Markdown for readers, and the ids by which a client shows it live. */
export function cardOf(
  row: OrchestrationRow,
  proposal: Proposal,
): { body: string; data: Record<string, unknown> } {
  const { failureMessage, changesRequestedReason, gaps } = row;
  const lines = [
    `**${headingOf(row)}** · revision ${row.approvedRevision ?? row.revision}`,
    bounded(proposal.goal, 2_000, 'The whole goal is in the plan.'),
    `${sizeOf(row, proposal)}${deferredText(row)}`,
    ...(changesRequestedReason ? [`Asked for: ${lineOf(changesRequestedReason, 2_000)}`] : []),
    ...(failureMessage ? [failureMessage] : []),
    ...(gaps && gaps.length > 0 ? [`Gaps: ${gaps.map((gap) => lineOf(gap)).join('; ')}`] : []),
  ];
  return { body: lines.join('\n\n'), data: dataOf(row, proposal) };
}

function headingOf({ kind, status, changesRequestedRevision }: OrchestrationRow): string {
  if (status !== 'proposed') return kind === 'plan' ? `Plan: ${HEADINGS[status]}` : HEADINGS[status];
  const what = kind === 'plan' ? 'Plan' : 'Proposal';
  return changesRequestedRevision === null
    ? `${what}, waiting for approval`
    : `${what}, changes requested, waiting for a new revision`;
}

function sizeOf(row: OrchestrationRow, { tickets, roles }: Proposal): string {
  const budget = `budget ${dollars(row.budgetMicros)}`;
  if (row.kind === 'orchestration')
    return `${count(tickets.length, 'sub-ticket')}, ${count(roles.length, 'role')}, ${budget}`;
  return `${count(tickets.length, 'node')}, ${budget}${isDefaultBudget(row) ? ' (default)' : ''}`;
}

function deferredText(row: OrchestrationRow): string {
  const deferred = deferredOf(row).length;
  return deferred > 0 ? `, ${deferred} deferred` : '';
}

/** The agent named no other budget for its plan. */
export function isDefaultBudget({
  kind,
  budgetMicros,
}: Pick<OrchestrationRow, 'kind' | 'budgetMicros'>): boolean {
  return kind === 'plan' && budgetMicros === DEFAULT_PLAN_BUDGET_MICROS;
}

function dataOf(row: OrchestrationRow, { tickets }: Proposal): Record<string, unknown> {
  const { id: orchestrationId, status, revision, approvedRevision, changesRequestedRevision } = row;
  const deferred = deferredOf(row).length;
  const data = { orchestrationId, status, revision, approvedRevision, changesRequestedRevision, deferred };
  if (row.kind === 'orchestration') return data;
  const { budgetMicros } = row;
  return {
    ...data,
    planId: orchestrationId,
    nodes: tickets.length,
    ...{ budgetMicros, budgetIsDefault: isDefaultBudget(row) },
  };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
