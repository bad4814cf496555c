import type { Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import type { Scope } from './schema.ts';
import { statesTable } from './states.ts';

/** A call that was made, and who made it. */
export interface SpentCall {
  scopes: readonly Scope[];
  /** Null: no price, or no usage was reported. */
  costMicros: number | null;
  /** The most it can have cost, where that was known. */
  boundMicros: number | null;
  runId: string;
  agentName: string;
  conversationId: string | null;
}

/**
 * Counts the call in each of its scopes, when the statement just before it in the batch changed a row. An unknown cost is in
 * no sum; what it can have been at most counts against caps.
 */
export function spendStatement({ scopes, costMicros, boundMicros }: SpentCall, at: number): Statement {
  const [unknownCalls, unknownMicros] = costMicros === null ? [1, boundMicros ?? 0] : [0, 0];
  const names = JSON.stringify(scopes.map(({ scope }) => scope));
  return {
    sql: `INSERT INTO budgets (scope, spentMicros, unknownCalls, unknownMicros, createdAt)
      SELECT value, ?, ?, ?, ? FROM json_each(?) WHERE changes() > 0
      ON CONFLICT (scope) DO UPDATE SET spentMicros = spentMicros + excluded.spentMicros,
        unknownCalls = unknownCalls + excluded.unknownCalls, unknownMicros = unknownMicros + excluded.unknownMicros`,
    args: [costMicros ?? 0, unknownCalls, unknownMicros, at, names],
  };
}

/** `budget.warned` and `budget.reached`, each once for a scope and a cap. */
export function announceStatements(call: SpentCall, at: number): Statement[] {
  return [
    ...announce(call, at, 'budget.warned', 'warnedCapMicros', 'isNearlyUsed'),
    ...announce(call, at, 'budget.reached', 'reachedCapMicros', 'isUsedUp'),
  ];
}

function announce(
  { scopes, runId, agentName, conversationId }: SpentCall,
  at: number,
  type: string,
  column: 'warnedCapMicros' | 'reachedCapMicros',
  condition: 'isNearlyUsed' | 'isUsedUp',
): Statement[] {
  const states = statesTable(scopes, runId, 0);
  const data = `json_object('target', target, 'capMicros', capMicros, 'spentMicros', spentMicros,
    'unknownCalls', unknownCalls, 'unknownMicros', unknownMicros,
    'runId', ?, 'agentName', ?, 'conversationId', ?)`;
  const args = [runId, agentName, conversationId, ...states.args];
  const from = `${states.sql} AS state WHERE ${condition} AND ${column} IS NOT capMicros`;
  return [
    eventsOfRows({ at, actor: 'service:runs', type }, { subject: 'scope', data, from, args }),
    {
      sql: `UPDATE budgets SET ${column} = state.capMicros FROM ${states.sql} AS state
        WHERE state.scope = budgets.scope AND state.${condition} AND budgets.${column} IS NOT state.capMicros`,
      args: states.args,
    },
  ];
}
