import type { Statement } from '../../kit/database/database.ts';
import { type Holding, holds } from '../runs/holding.ts';
import type { Scope } from './schema.ts';
import { statesTable } from './states.ts';

/**
 * Reserves an amount in each of the scopes that has a cap, in place of what the run held: in all of them or in none, and in one
 * batch, so that runs in parallel cannot both take the same money.
 */
export function reserveStatements(
  holding: Holding,
  scopes: readonly Scope[],
  amountMicros: number,
  at: number,
): Statement[] {
  const fence = holds(holding);
  const states = statesTable(scopes, holding.runId, amountMicros);
  return [
    releaseStatement(holding),
    {
      sql: `INSERT INTO reservations (runId, scope, amountMicros, at)
        SELECT ?, scope, ?, ? FROM ${states.sql} WHERE capMicros IS NOT NULL AND ${fence.sql}
          AND NOT EXISTS (SELECT 1 FROM ${states.sql} WHERE NOT fits)`,
      args: [holding.runId, amountMicros, at, ...states.args, ...fence.args, ...states.args],
    },
  ];
}

/** Gives back what a run still holds. */
export function releaseStatement(holding: Holding): Statement {
  const fence = holds(holding);
  return {
    sql: `DELETE FROM reservations WHERE runId = ? AND ${fence.sql}`,
    args: [holding.runId, ...fence.args],
  };
}
