import type { Budget } from '../../../services/runs/budgets/schema.ts';
import { money, plural } from './amounts.ts';
import { table } from './table.ts';

/** A budget with the names of what it belongs to. */
export interface ListedBudget extends Budget {
  workspaceId: string;
  workspace: string;
  agentName: string | null;
}

const COLUMNS = [
  { title: 'BUDGET', max: 48 },
  { title: 'CAP', align: 'right' },
  { title: 'SPENT', align: 'right' },
  { title: 'RESERVED', align: 'right' },
  { title: 'OF UNKNOWN COST' },
  { title: 'WORKSPACE', max: 24 },
] as const;

/** What each budget's money is counted over. */
const FOOT =
  'Agents and the workspace: this month (UTC). run: each run that has no cap of its own, with its sub-agents.';

export function budgetsTable(items: readonly ListedBudget[]): string {
  const rows = items.map((item) => [
    shownTarget(item),
    item.capMicros === null ? 'no cap' : money(item.capMicros),
    item.spentMicros === null ? '' : money(item.spentMicros),
    item.reservedMicros === null || item.reservedMicros === 0 ? '' : money(item.reservedMicros),
    unknownText(item),
    item.workspace,
  ]);
  const text = table(COLUMNS, rows, 'There is no workspace yet. Make one with `cctl workspace create NAME`.');
  return items.length === 0 ? text : `${text}\n\n${FOOT}`;
}

/** As it is given to `cctl budget set`; an agent by its name. */
function shownTarget({ target, agentName }: Pick<ListedBudget, 'target' | 'agentName'>): string {
  return agentName === null ? target : `agent:${agentName}`;
}

/** `2 calls (at most $0.034)`: what is unknown is in no sum. */
function unknownText({ unknownCalls, unknownMicros }: Budget): string {
  if (unknownCalls === null || unknownCalls === 0) return '';
  const bound = unknownMicros === null || unknownMicros === 0 ? '' : ` (at most ${money(unknownMicros)})`;
  return `${plural(unknownCalls, 'call')}${bound}`;
}

export function budgetText(budget: Budget, given: string): string {
  const { capMicros, spentMicros } = budget;
  const cap = capMicros === null ? 'has no cap' : `has a cap of ${money(capMicros)}`;
  if (spentMicros === null) return `Each run that has none of its own ${cap}.`;
  const unknown = unknownText(budget);
  const and = unknown === '' ? '' : `, and the unknown cost of ${unknown}`;
  return `${given} ${cap}; ${money(spentMicros)} is spent${and}.`;
}
