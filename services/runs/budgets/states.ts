import type { Database, Row, Statement } from '../../kit/database/database.ts';
import type { Scope } from './schema.ts';

/** Agents are told to wrap up, and people are told, once this share of a cap is used. */
const WARN_PERCENT = 80;

/** A scope at one moment, as a run sees it that wants to reserve an amount. */
export interface ScopeState extends Scope {
  capMicros: number | null;
  spentMicros: number;
  unknownMicros: number;
  unknownCalls: number;
  /** Held back for calls of other runs, and of this one. */
  othersMicros: number;
  ownMicros: number;
  isNearlyUsed: boolean;
  isUsedUp: boolean;
  /** Always so where there is no cap. */
  fits: boolean;
}

/** The cap that holds for `target` and `fallback`, columns or expressions; null without one. */
export function capOf(target: string, fallback: string): string {
  const of = (name: string) => `(SELECT capMicros FROM budgetCaps WHERE target = ${name})`;
  return `coalesce(${of(target)}, ${of(fallback)})`;
}

/**
 * A table of the scopes, in their order, for the `FROM` of a statement. An amount fits when it has room beside what is used
 * and reserved; or when the scope holds no other reservation and the cap is not yet used: an upper bound is far above what
 * most calls cost, so that a cap is passed by one call in flight at most.
 */
export function statesTable(scopes: readonly Scope[], runId: string, amountMicros: number): Statement {
  const asked = scopes.map(({ scope, target, fallback }) => [scope, target, fallback]);
  return { sql: STATES, args: [JSON.stringify(asked), runId, runId, amountMicros] };
}

const STATES = `(WITH asked (position, scope, target, fallback) AS (
    SELECT key, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
  ), found AS MATERIALIZED (
    SELECT a.*, ${capOf('a.target', 'a.fallback')} AS capMicros, b.warnedCapMicros, b.reachedCapMicros,
      coalesce(b.spentMicros, 0) AS spentMicros, coalesce(b.unknownMicros, 0) AS unknownMicros,
      coalesce(b.unknownCalls, 0) AS unknownCalls, coalesce(b.spentMicros + b.unknownMicros, 0) AS usedMicros,
      (SELECT coalesce(sum(amountMicros), 0) FROM reservations r WHERE r.scope = a.scope AND r.runId <> ?) AS othersMicros,
      (SELECT coalesce(sum(amountMicros), 0) FROM reservations r WHERE r.scope = a.scope AND r.runId = ?) AS ownMicros
    FROM asked a LEFT JOIN budgets b ON b.scope = a.scope
  ) SELECT *, capMicros IS NOT NULL AND usedMicros * 100 >= capMicros * ${WARN_PERCENT} AS isNearlyUsed,
    capMicros IS NOT NULL AND usedMicros >= capMicros AS isUsedUp,
    capMicros IS NULL OR usedMicros + othersMicros + ? <= capMicros
      OR (usedMicros < capMicros AND othersMicros = 0) AS fits
  FROM found ORDER BY position)`;

export async function readStates(
  database: Database,
  scopes: readonly Scope[],
  runId = '',
  amountMicros = 0,
): Promise<ScopeState[]> {
  const { sql, args } = statesTable(scopes, runId, amountMicros);
  return (await database.read({ sql: `SELECT * FROM ${sql}`, args })).map(stateOfRow);
}

function stateOfRow(row: Row): ScopeState {
  return {
    scope: String(row.scope),
    target: String(row.target),
    fallback: row.fallback === null ? null : String(row.fallback),
    capMicros: row.capMicros === null ? null : Number(row.capMicros),
    spentMicros: Number(row.spentMicros),
    unknownMicros: Number(row.unknownMicros),
    unknownCalls: Number(row.unknownCalls),
    othersMicros: Number(row.othersMicros),
    ownMicros: Number(row.ownMicros),
    isNearlyUsed: Number(row.isNearlyUsed) === 1,
    isUsedUp: Number(row.isUsedUp) === 1,
    fits: Number(row.fits) === 1,
  };
}
