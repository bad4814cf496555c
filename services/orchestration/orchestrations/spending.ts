import type { Bench } from '../bench.ts';
import type { OrchestrationRow } from './schema.ts';

/**
 * The rows with what has been spent until now: every call that a run under them has paid for, those of runs at work, of
 * sub-agents and of tickets that were passed on included, as the ledger of their budgets has it, against which the cap
 * counts. What is held back for calls in flight is not spent yet. With `costUnknown` a call had no known price, and the sum
 * is the least that it can be.
 */
export async function withSpending(
  bench: Bench,
  workspaceId: string,
  rows: readonly OrchestrationRow[],
): Promise<OrchestrationRow[]> {
  const begun = rows.filter(({ pipelineRunId }) => pipelineRunId !== null).map(({ id }) => id);
  const spendings = begun.length === 0 ? [] : await bench.runs(workspaceId).spendings(begun);
  const found = new Map(spendings.map((spending) => [spending.target, spending]));
  return rows.map((row) => {
    const { spentMicros = 0, unknownCalls = 0 } = found.get(row.id) ?? {};
    return {
      ...row,
      // Runs that are older than the ledger are in the row's own sum alone.
      spentMicros: Math.max(row.spentMicros, spentMicros),
      costUnknown: row.costUnknown || unknownCalls > 0,
    };
  });
}
