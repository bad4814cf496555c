import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { Budget, Scope } from './schema.ts';
import { scopeOf } from './scopes.ts';
import { readStates, type ScopeState } from './states.ts';

/** The cap that each run has which has none of its own. */
const EVERY_RUN = 'run';

/** @throws Fault not_found for a budget of a service of which nothing is known */
export async function findBudget(database: Database, target: string, at: number): Promise<Budget> {
  if (target === EVERY_RUN) return everyRun(database);
  const [state] = await readStates(database, [scopeOf(target, at)]);
  if (!state) throw new Fault('internal', `The budget ${target} was not read.`);
  const isKnown = state.scope !== target || target.startsWith('run:') || (await isOnRecord(database, target));
  if (isKnown) return budgetOf(state);
  throw new Fault('not_found', `Nothing is known of the budget ${JSON.stringify(target)}.`);
}

async function isOnRecord(database: Database, target: string): Promise<boolean> {
  const rows = await database.read({
    sql: `SELECT 1 FROM budgets WHERE scope = ? UNION SELECT 1 FROM budgetCaps WHERE target = ?
      UNION SELECT 1 FROM runs WHERE budgetScope = ?`,
    args: [target, target, target],
  });
  return rows.length > 0;
}

/**
 * The cap of every run, the workspace, the agents that have a cap or have spent this month, and what has a cap of its own
 * and a run that has not ended: runs, and the budgets of services.
 */
export async function listBudgets(database: Database, at: number): Promise<Budget[]> {
  const rows = await database.read({ sql: LISTED, args: [monthEnd(at)] });
  const scopes: Scope[] = rows.map((row) => scopeOf(String(row.target), at));
  return [await everyRun(database), ...(await readStates(database, scopes)).map(budgetOf)];
}

/** What the scope of an agent ends with in this month. */
function monthEnd(at: number): string {
  const { scope, target } = scopeOf('workspace', at);
  return scope.slice(target.length);
}

const LISTED = `SELECT 'workspace' AS target, 0 AS rank
  UNION SELECT target, 1 FROM budgetCaps WHERE target LIKE 'agent:%'
  UNION SELECT substr(scope, 1, length(scope) - length(?1)), 1 FROM budgets WHERE scope LIKE 'agent:%' || ?1
  UNION SELECT c.target, 2 FROM budgetCaps c JOIN runs r ON c.target = 'run:' || r.id WHERE r.phase <> 'ended'
  UNION SELECT c.target, 3 FROM budgetCaps c JOIN runs r ON r.budgetScope = c.target WHERE r.phase <> 'ended'
  ORDER BY rank, target`;

async function everyRun(database: Database): Promise<Budget> {
  const sql = 'SELECT capMicros FROM budgetCaps WHERE target = ?';
  const [row] = await database.read({ sql, args: [EVERY_RUN] });
  const nothing = { spentMicros: null, reservedMicros: null, unknownCalls: null, unknownMicros: null };
  return { target: EVERY_RUN, scope: null, capMicros: row ? Number(row.capMicros) : null, ...nothing };
}

function budgetOf({ target, scope, capMicros, ...state }: ScopeState): Budget {
  const { spentMicros, othersMicros, ownMicros, unknownCalls, unknownMicros } = state;
  const reservedMicros = othersMicros + ownMicros;
  return { target, scope, capMicros, spentMicros, reservedMicros, unknownCalls, unknownMicros };
}
