import { asc, desc, eq } from 'drizzle-orm';
import type { Database, Statement } from '../../kit/database/database.ts';
import { type Assignment, type Line, MAX_DEPTH, MAX_IN_ALL, MAX_OPEN } from './delegation.ts';
import { DELEGATION_COLUMNS, type Delegation, ticketDelegations } from './delegation-schema.ts';

export function listDelegations(database: Database, ticketId: string): Promise<Delegation[]> {
  return database.orm
    .select(DELEGATION_COLUMNS)
    .from(ticketDelegations)
    .where(eq(ticketDelegations.ticketId, ticketId))
    .orderBy(asc(ticketDelegations.number));
}

export async function latestDelegation(database: Database, ticketId: string): Promise<Delegation | null> {
  const rows = await database.orm
    .select(DELEGATION_COLUMNS)
    .from(ticketDelegations)
    .where(eq(ticketDelegations.ticketId, ticketId))
    .orderBy(desc(ticketDelegations.number))
    .limit(1);
  return rows[0] ?? null;
}

/** `own (depth, chain, step)`: the delegations to an agent of a ticket and of those above it, each ticket's last. */
const OWN = `WITH RECURSIVE up (id, parentId, step) AS (
    SELECT id, parentId, 0 FROM tickets WHERE id = ?
    UNION ALL SELECT t.id, t.parentId, up.step + 1 FROM tickets t JOIN up ON t.id = up.parentId
  ), own (depth, chain, step) AS (
    SELECT d.depth, d.chain, up.step FROM up JOIN ticketDelegations d ON d.ticketId = up.id AND d.agentId = ?
    WHERE d.number = (SELECT max(number) FROM ticketDelegations last WHERE last.ticketId = up.id))`;

/** The line through all of these; null where the agent has none of them. */
export async function ownLine(
  database: Database,
  ticketId: string | null,
  agentId: string,
): Promise<Line | null> {
  if (ticketId === null) return null;
  const sql = `${OWN} SELECT depth, chain FROM own ORDER BY step DESC`;
  const rows = await database.read({ sql, args: [ticketId, agentId] });
  if (rows.length === 0) return null;
  const chain = rows.flatMap((row) => JSON.parse(String(row.chain)) as string[]);
  return { chain: [...new Set(chain)], depth: Math.max(...rows.map((row) => Number(row.depth))) };
}

const COUNTS = 'FROM ticketDelegations WHERE originRunId = ?';

export async function countsFrom(
  database: Database,
  originRunId: string,
): Promise<{ open: number; inAll: number }> {
  const sql = `SELECT count(*) AS inAll, count(*) FILTER (WHERE endedAt IS NULL) AS open ${COUNTS}`;
  const [row] = await database.read({ sql, args: [originRunId] });
  return { open: Number(row?.open), inAll: Number(row?.inAll) };
}

/**
 * Holds while an agent may delegate so: part of the write, so that no two pass a bound together and none passes a chain that
 * has just come to be.
 * @param at the ticket that is assigned, or under which one is made
 */
export function mayDelegate({ delegator, chain, agentId, depth }: Assignment, at: string | null): Statement {
  if (delegator === null) return { sql: '1', args: [] };
  const { originRunId, agentIds } = delegator;
  return {
    sql: `? <= ${MAX_DEPTH} AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE value = ?)
      AND (SELECT count(*) ${COUNTS} AND endedAt IS NULL) < ${MAX_OPEN} AND (SELECT count(*) ${COUNTS}) < ${MAX_IN_ALL}
      AND NOT EXISTS (${OWN} SELECT 1 FROM own
        WHERE depth >= ${MAX_DEPTH} OR EXISTS (SELECT 1 FROM json_each(own.chain) WHERE value = ?))`,
    args: [
      ...[depth, JSON.stringify(chain.slice(0, -1)), agentId, originRunId, originRunId],
      ...[at, agentIds.at(-1), agentId],
    ],
  };
}
