import { and, asc, eq, gt, ne, type SQL } from 'drizzle-orm';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import { runEvent, runOfRow } from './run.ts';
import { type Run, type RunRow, type RunStatus, runs } from './schema.ts';

export interface RunFilter {
  conversationId?: string | undefined;
  status?: RunStatus | undefined;
  agentId?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

/** @throws Fault not_found */
export async function findRow(database: Database, id: string): Promise<RunRow> {
  const row = await database.orm.select().from(runs).where(eq(runs.id, id)).get();
  if (!row) throw new Fault('not_found', `There is no run ${JSON.stringify(id)} in this workspace.`);
  return row;
}

export async function findRun(database: Database, id: string): Promise<Run> {
  return runOfRow(await findRow(database, id));
}

export async function findByKey(database: Database, key: string): Promise<Run | null> {
  const row = await database.orm.select().from(runs).where(eq(runs.key, key)).get();
  return row ? runOfRow(row) : null;
}

/** In the order of creation; `after` is the id of the last run of the page before. */
export async function listRuns(
  database: Database,
  filter: RunFilter,
): Promise<{ items: Run[]; next: string | null }> {
  const limit = filter.limit ?? 100;
  const conditions: SQL[] = [];
  if (filter.conversationId) conditions.push(eq(runs.conversationId, filter.conversationId));
  if (filter.status) conditions.push(eq(runs.status, filter.status));
  if (filter.agentId) conditions.push(eq(runs.agentId, filter.agentId));
  if (filter.after) conditions.push(gt(runs.id, filter.after));
  const rows = await database.orm
    .select()
    .from(runs)
    .where(and(...conditions))
    .orderBy(asc(runs.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map(runOfRow);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** Ids of the runs of a budget scope that have not ended. */
export async function unfinishedOf(database: Database, budgetScope: string): Promise<string[]> {
  const rows = await database.orm
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.budgetScope, budgetScope), ne(runs.phase, 'ended')));
  return rows.map((row) => row.id);
}

/** Writes the run and its event; a run with the same key stays as it is and is returned. */
export async function insertRun(database: Database, row: RunRow): Promise<Run> {
  const insert = database.orm.insert(runs).values(row).onConflictDoNothing({ target: runs.key });
  const event = runEvent(row, 'run.created', row.createdAt, {
    agentId: row.agentId,
    conversationId: row.conversationId,
    key: row.key,
    trigger: { kind: row.triggerKind, id: row.triggerId },
  });
  await database.write('run.create', [...budgetRow(row), insert, eventIfChanged(event)]);
  const run = row.key === null ? null : await findByKey(database, row.key);
  return run ?? findRun(database, row.id);
}

/** What is spent is counted from the first run of a scope, also before a cap is set. */
function budgetRow(row: RunRow): Statement[] {
  if (row.budgetScope === null) return [];
  const sql = 'INSERT INTO budgets (scope, createdAt) VALUES (?, ?) ON CONFLICT (scope) DO NOTHING';
  return [{ sql, args: [row.budgetScope, row.createdAt] }];
}
