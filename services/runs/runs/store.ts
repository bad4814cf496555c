import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, ne, type SQL } from 'drizzle-orm';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import { capOfRun } from '../budgets/caps.ts';
import { runEvent, runOfRow } from './run.ts';
import { type Run, type RunPhase, type RunRow, type RunStatus, runs } from './schema.ts';

export interface RunFilter {
  conversationId?: string | undefined;
  status?: RunStatus | undefined;
  agentId?: string | undefined;
  parentRunId?: string | undefined;
  rootRunId?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  order?: 'oldest' | 'newest' | undefined;
  limit?: number | undefined;
}

/** @throws Fault not_found */
export async function findRow(database: Database, id: string): Promise<RunRow> {
  const row = await database.orm.select().from(runs).where(eq(runs.id, id)).get();
  if (!row) throw notFound(id);
  return row;
}

/** Where a run stands, with how many answers of it are kept. @throws Fault not_found */
export async function standingOf(
  database: Database,
  id: string,
): Promise<{ phase: RunPhase; answered: number }> {
  const [row] = await database.read({
    sql: `SELECT phase, (SELECT count(*) FROM runEntries WHERE runId = runs.id AND kind = 'answer') AS answered
      FROM runs WHERE id = ?`,
    args: [id],
  });
  if (!row) throw notFound(id);
  return { phase: row.phase as RunPhase, answered: Number(row.answered) };
}

function notFound(id: string): Fault {
  return new Fault('not_found', `There is no run ${JSON.stringify(id)} in this workspace.`);
}

/** Those that there are, in the order of creation. */
export function findRows(database: Database, ids: readonly string[]): Promise<RunRow[]> {
  return database.orm
    .select()
    .from(runs)
    .where(inArray(runs.id, [...ids]))
    .orderBy(asc(runs.id));
}

export async function findRun(database: Database, id: string): Promise<Run> {
  return shown(database, await findRow(database, id));
}

export async function findByKey(database: Database, key: string): Promise<Run | null> {
  const row = await database.orm.select().from(runs).where(eq(runs.key, key)).get();
  return row ? shown(database, row) : null;
}

async function shown(database: Database, row: RunRow): Promise<Run> {
  const [run] = await allShown(database, [row]);
  return run as Run;
}

async function allShown(database: Database, rows: readonly RunRow[]): Promise<Run[]> {
  const ids = rows.map((row) => row.id);
  const found = await database.orm
    .select({ id: runs.id, parentRunId: runs.parentRunId })
    .from(runs)
    .where(inArray(runs.parentRunId, ids))
    .orderBy(asc(runs.id));
  const children = Map.groupBy(found, ({ parentRunId }) => parentRunId);
  return rows.map((row) => ({
    ...runOfRow(row),
    children: children.get(row.id)?.map(({ id }) => id) ?? [],
  }));
}

/** In the order of creation, or with `before` or `newest` against it; either is the id of the last run of the page before. */
export async function listRuns(
  database: Database,
  filter: RunFilter,
): Promise<{ items: Run[]; next: string | null }> {
  const limit = filter.limit ?? 100;
  const conditions: SQL[] = [];
  if (filter.conversationId) conditions.push(eq(runs.conversationId, filter.conversationId));
  if (filter.status) conditions.push(eq(runs.status, filter.status));
  if (filter.agentId) conditions.push(eq(runs.agentId, filter.agentId));
  if (filter.parentRunId) conditions.push(eq(runs.parentRunId, filter.parentRunId));
  if (filter.rootRunId) conditions.push(eq(runs.rootRunId, filter.rootRunId));
  if (filter.after) conditions.push(gt(runs.id, filter.after));
  if (filter.before) conditions.push(lt(runs.id, filter.before));
  const isNewestFirst = filter.before !== undefined || filter.order === 'newest';
  const rows = await database.orm
    .select()
    .from(runs)
    .where(and(...conditions))
    .orderBy(isNewestFirst ? desc(runs.id) : asc(runs.id))
    .limit(limit + 1);
  const items = await allShown(database, rows.slice(0, limit));
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

/**
 * Writes the run, its event and the cap of its own where the condition holds; a run with the same key stays as it is and is
 * returned. Null: the condition did not hold.
 */
export async function insertRun(
  database: Database,
  row: RunRow,
  condition: Statement,
  capMicros: number | null = null,
): Promise<Run | null> {
  const event = runEvent(row, 'run.created', row.createdAt, {
    agentId: row.agentId,
    conversationId: row.conversationId,
    parentRunId: row.parentRunId,
    rootRunId: row.rootRunId,
    key: row.key,
    trigger: { kind: row.triggerKind, id: row.triggerId },
  });
  const insert = insertWhere(row, condition);
  const [first] = await database.write('run.create', [
    insert,
    eventIfChanged(event),
    ...capOfRun(row, capMicros),
  ]);
  if (first?.rowsAffected === 1) return findRun(database, row.id);
  return row.key === null ? null : findByKey(database, row.key);
}

function insertWhere(row: RunRow, condition: Statement): Statement {
  const columns = Object.entries(getTableColumns(runs));
  const values = columns.map(([name, column]) => {
    const value = row[name as keyof RunRow];
    return value === null ? null : column.mapToDriverValue(value);
  });
  const names = columns.map(([, column]) => column.name).join(', ');
  const places = columns.map(() => '?').join(', ');
  return {
    sql: `INSERT INTO runs (${names}) SELECT ${places} WHERE ${condition.sql} ON CONFLICT (key) DO NOTHING`,
    args: [...values, ...condition.args],
  };
}
