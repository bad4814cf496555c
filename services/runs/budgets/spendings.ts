import type { Database } from '../../kit/database/database.ts';

/** What has been paid out of a budget by every run that shares it, those at work included. */
interface Spending {
  target: string;
  /** The least that it can be while there are calls of an unknown price. */
  spentMicros: number;
  unknownCalls: number;
}

/** Of those of the budgets of services out of which something was paid. */
export async function readSpendings(database: Database, targets: readonly string[]): Promise<Spending[]> {
  const rows = await database.read({
    sql: `SELECT scope, spentMicros, unknownCalls FROM budgets WHERE scope IN (SELECT value FROM json_each(?)) ORDER BY scope`,
    args: [JSON.stringify(targets)],
  });
  return rows.map((row) => ({
    target: String(row.scope),
    spentMicros: Number(row.spentMicros),
    unknownCalls: Number(row.unknownCalls),
  }));
}
