import type { Orchestration } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Plan } from '../../../services/orchestration/plans/plan.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { money } from './amounts.ts';
import { table } from './table.ts';

export function plansTable(plans: readonly Orchestration[]): string {
  const columns = ['ID', 'STATUS', 'REVISION', 'BUDGET', 'GOAL'].map((title) => ({ title }));
  const rows = plans.map((plan) => [
    plan.id,
    statusText(plan),
    String(plan.revision),
    money(plan.budgetMicros),
    plainLine(plan.goal, 60),
  ]);
  return table(columns, rows, 'No plans yet.');
}

/** A plan for a person to judge: its nodes in their order, and what each waits for. */
export function planText(plan: Plan, paint: Paint): string {
  const budget = `${money(plan.budgetMicros)}${plan.budgetIsDefault ? ' (a default: the plan names none)' : ''}`;
  const asked = plan.changesRequestedReason;
  return [
    `${paint.bold('Plan')} ${plan.id}, revision ${plan.revision}, ${statusText(plan)}`,
    ...(asked === null ? [] : [`Changes asked for: ${plainText(asked)}`]),
    `Budget ${budget}`,
    '',
    plainText(plan.goal),
    '',
    ...plan.nodes.flatMap((node) => nodeLines(node, paint)),
  ].join('\n');
}

function nodeLines({ key, title, description, needs }: Plan['nodes'][number], paint: Paint): string[] {
  const after = needs.length === 0 ? '' : paint.dim(`  after ${needs.join(', ')}`);
  const text = plainText(description).trim();
  const lines = text === '' ? [] : text.split('\n').map((line) => `    ${line}`);
  return [`${paint.bold(key)}  ${plainLine(title, 120)}${after}`, ...lines];
}

function statusText({ status, revision, changesRequestedRevision }: Orchestration): string {
  return status === 'proposed' && changesRequestedRevision === revision ? 'changes requested' : status;
}
