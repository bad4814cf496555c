import type { Database, Statement } from '../../kit/database/database.ts';
import { eventStatement } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import { type Holding, holds } from '../runs/holding.ts';
import type { Budget } from './schema.ts';

/** Agents are told to wrap up, and people are told, once this share of a cap is spent. */
const WARN_PERCENT = 80;

const RESERVED = '(SELECT coalesce(sum(amountMicros), 0) FROM reservations WHERE scope = ?)';

/** @throws Fault not_found */
export async function findBudget(database: Database, scope: string): Promise<Budget> {
  const [row] = await database.read({
    sql: `SELECT capMicros, spentMicros, unknownCalls, ${RESERVED} AS reservedMicros FROM budgets WHERE scope = ?`,
    args: [scope, scope],
  });
  if (!row) throw new Fault('not_found', `Nothing is known of the budget ${JSON.stringify(scope)}.`);
  return {
    scope,
    capMicros: row.capMicros === null ? null : Number(row.capMicros),
    spentMicros: Number(row.spentMicros),
    reservedMicros: Number(row.reservedMicros),
    unknownCalls: Number(row.unknownCalls),
  };
}

/** Sets or changes a cap; what was said about the old one may be said again about the new. */
export async function setBudget(
  database: Database,
  scope: string,
  capMicros: number,
  at: number,
): Promise<Budget> {
  await database.write('budget.set', [
    {
      sql: `INSERT INTO budgets (scope, capMicros, createdAt) VALUES (?, ?, ?)
        ON CONFLICT (scope) DO UPDATE SET capMicros = excluded.capMicros,
          warnedAt = CASE WHEN spentMicros * 100 >= excluded.capMicros * ${WARN_PERCENT} THEN warnedAt END,
          reachedAt = CASE WHEN spentMicros >= excluded.capMicros THEN reachedAt END`,
      args: [scope, capMicros, at],
    },
    eventStatement({ at, actor: 'service:runs', type: 'budget.set', subject: scope, data: { capMicros } }),
  ]);
  return findBudget(database, scope);
}

/**
 * Reserves `amountMicros` for a run in place of what it held, in one batch so that runs in parallel cannot both take
 * the same money. What does not fit is still let through when the run would be alone and the cap is not yet spent:
 * an upper bound is far above what most calls cost, so the cap is passed by one call in flight at most.
 */
export function reserveStatements(
  holding: Holding,
  scope: string,
  amountMicros: number,
  at: number,
): Statement[] {
  const fence = holds(holding);
  return [
    releaseStatement(holding),
    {
      sql: `INSERT INTO reservations (runId, scope, amountMicros, at) SELECT ?, scope, ?, ? FROM budgets
        WHERE scope = ? AND ${fence.sql} AND (capMicros IS NULL OR spentMicros + ${RESERVED} + ? <= capMicros
          OR (spentMicros < capMicros AND ${RESERVED} = 0))`,
      args: [holding.runId, amountMicros, at, scope, ...fence.args, scope, amountMicros, scope],
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

/**
 * Adds what a call cost to the scope of its run, when the statement just before it in the batch changed a row; to be
 * followed by `announceStatements`.
 */
export function spendStatement(scope: string, costMicros: number | null): Statement {
  return {
    sql: `UPDATE budgets SET spentMicros = spentMicros + ?, unknownCalls = unknownCalls + ?
      WHERE scope = ? AND changes() > 0`,
    args: [costMicros ?? 0, costMicros === null ? 1 : 0, scope],
  };
}

/** `budget.warned` and `budget.reached`, each once for a cap. */
export function announceStatements(scope: string, at: number): Statement[] {
  return [
    ...announce(scope, at, 'warned', `spentMicros * 100 >= capMicros * ${WARN_PERCENT}`),
    ...announce(scope, at, 'reached', 'spentMicros >= capMicros'),
  ];
}

function announce(scope: string, at: number, what: 'warned' | 'reached', condition: string): Statement[] {
  return [
    {
      sql: `UPDATE budgets SET ${what}At = ? WHERE scope = ? AND ${what}At IS NULL AND capMicros IS NOT NULL AND ${condition}`,
      args: [at, scope],
    },
    {
      sql: `INSERT INTO events (at, actor, type, subject, data)
        SELECT ?, 'service:runs', ?, scope, json_object('capMicros', capMicros, 'spentMicros', spentMicros)
        FROM budgets WHERE scope = ? AND changes() > 0`,
      args: [at, `budget.${what}`, scope],
    },
  ];
}

export function isPastWarning(budget: Budget): boolean {
  return budget.capMicros !== null && budget.spentMicros * 100 >= budget.capMicros * WARN_PERCENT;
}
