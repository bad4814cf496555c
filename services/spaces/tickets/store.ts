import { and, asc, eq, getTableColumns, gt, inArray, type SQL } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement, Writable } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { newId } from '../../kit/id.ts';
import type { Paging } from '../fields.ts';
import type { Assignment } from './delegation.ts';
import { type DelegationOutcome, ticketDelegations } from './delegation-schema.ts';
import {
  delegateStatements,
  endStatements,
  type Written,
  withdrawStatements,
} from './delegation-statements.ts';
import { mayDelegate } from './delegation-store.ts';
import { TICKET_COLUMNS, type Ticket, type TicketFilter, tickets } from './schema.ts';

export async function findTicket(database: Database, id: string): Promise<Ticket | null> {
  const rows = await database.orm.select(TICKET_COLUMNS).from(tickets).where(eq(tickets.id, id));
  return rows[0] ?? null;
}

export async function findTicketByKey(database: Database, key: string): Promise<Ticket | null> {
  const rows = await database.orm.select(TICKET_COLUMNS).from(tickets).where(eq(tickets.key, key));
  return rows[0] ?? null;
}

export function listTickets(database: Database, filter: TicketFilter, paging: Paging): Promise<Ticket[]> {
  const conditions: SQL[] = [gt(tickets.id, paging.after ?? '')];
  if (filter.parentId !== undefined) conditions.push(eq(tickets.parentId, filter.parentId));
  if (filter.projectId !== undefined) conditions.push(eq(tickets.projectId, filter.projectId));
  if (filter.spaceId !== undefined) conditions.push(eq(tickets.spaceId, filter.spaceId));
  if (filter.status !== undefined) conditions.push(eq(tickets.status, filter.status));
  if (filter.assignee !== undefined) conditions.push(eq(tickets.assignee, filter.assignee));
  if (filter.delegatedInRun !== undefined) {
    const delegated = database.orm
      .select({ id: ticketDelegations.ticketId })
      .from(ticketDelegations)
      .where(eq(ticketDelegations.runId, filter.delegatedInRun));
    conditions.push(inArray(tickets.id, delegated));
  }
  return database.orm
    .select(TICKET_COLUMNS)
    .from(tickets)
    .where(and(...conditions))
    .orderBy(asc(tickets.id))
    .limit(paging.limit + 1);
}

/**
 * The number is given by the database, in the order of commits. An assignment to an agent and all it starts is in the same
 * commit. Null: the agent may not delegate so, and nothing was written.
 */
export async function insertTicket(
  database: Database,
  ticket: Omit<Ticket, 'number'>,
  key: string | null,
  actor: Actor,
  assignment: Assignment | null,
): Promise<Ticket | null> {
  const { id, title, status, assignee, parentId, spaceId, projectId, createdAt } = ticket;
  const won = { sql: 'EXISTS (SELECT 1 FROM tickets WHERE id = ?)', args: [id] };
  const written = { ticketId: id, won, actor, at: createdAt };
  await database.write('ticket.create', [
    insertWhere({ ...ticket, key }, assignment ? mayDelegate(assignment, parentId) : ALWAYS),
    eventIfChanged({
      at: createdAt,
      actor,
      type: 'ticket.created',
      subject: id,
      data: { title, status, assignee, parentId, spaceId, projectId },
    }),
    ...(assignment ? delegateStatements(written, assignment) : []),
  ]);
  return (key === null ? null : await findTicketByKey(database, key)) ?? findTicket(database, id);
}

const ALWAYS: Statement = { sql: '1', args: [] };

function insertWhere(row: Omit<Ticket, 'number'> & { key: string | null }, condition: Statement): Statement {
  const { number, changeId, ...columns } = getTableColumns(tickets);
  const given = Object.entries(columns);
  const values = given.map(([name, column]) => {
    const value = row[name as keyof typeof row];
    return value === null ? null : column.mapToDriverValue(value);
  });
  return {
    sql: `INSERT INTO tickets (number, ${given.map(([name]) => name).join(', ')})
      SELECT (SELECT coalesce(max(number), 0) + 1 FROM tickets), ${given.map(() => '?').join(', ')}
      WHERE ${condition.sql} ON CONFLICT (key) DO NOTHING`,
    args: [...values, ...condition.args],
  };
}

export type TicketFields = Partial<
  Pick<
    Ticket,
    | 'title'
    | 'description'
    | 'status'
    | 'priority'
    | 'assignee'
    | 'spaceId'
    | 'projectId'
    | 'labels'
    | 'provenance'
  >
>;

/** What a change of a ticket means for the agents that have it or are to have it. */
export interface Consequences {
  /** The agents that have it are to leave off. */
  withdraws: boolean;
  ends: DelegationOutcome | null;
  starts: Assignment | null;
}

/** The event tells each change as `{ from, to }`, a description only as changed. */
export async function updateTicket(
  database: Database,
  before: Ticket,
  fields: TicketFields,
  { actor, at, ...consequences }: Consequences & { actor: Actor; at: number },
): Promise<boolean> {
  const version = before.version + 1;
  const changeId = newId('chg', at);
  const won = {
    sql: 'EXISTS (SELECT 1 FROM tickets WHERE id = ? AND changeId = ?)',
    args: [before.id, changeId],
  };
  const update = database.orm
    .update(tickets)
    .set({ ...fields, updatedAt: at, version, changeId })
    .where(and(eq(tickets.id, before.id), eq(tickets.version, before.version)));
  const [updated] = await database.write('ticket.change', [
    consequences.starts ? onlyWhere(update, mayDelegate(consequences.starts, before.id)) : update,
    eventIfChanged({
      at,
      actor,
      type: 'ticket.changed',
      subject: before.id,
      data: { changes: told(before, fields), status: fields.status ?? before.status, version },
    }),
    ...consequenceStatements({ ticketId: before.id, won, actor, at }, consequences),
  ]);
  return updated?.rowsAffected === 1;
}

/** A statement that ends with its condition, which is made narrower. */
function onlyWhere(query: Exclude<Writable, Statement>, condition: Statement): Statement {
  const { sql, params } = query.toSQL();
  return { sql: `${sql} AND ${condition.sql}`, args: [...params, ...condition.args] };
}

function consequenceStatements(written: Written, { withdraws, ends, starts }: Consequences): Statement[] {
  return [
    ...(withdraws ? withdrawStatements(written) : []),
    ...(ends ? endStatements(written, ends, null) : []),
    ...(starts ? delegateStatements(written, starts) : []),
  ];
}

function told(before: Ticket, fields: TicketFields): Record<string, unknown> {
  const names = Object.keys(fields) as (keyof TicketFields)[];
  return Object.fromEntries(
    names.map((name) => [name, name === 'description' ? true : { from: before[name], to: fields[name] }]),
  );
}
