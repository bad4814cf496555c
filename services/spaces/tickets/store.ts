import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { found } from '../not-found.ts';
import { TICKET_COLUMNS, type Ticket, type TicketFilter, tickets } from './schema.ts';

export async function findTicket(database: Database, id: string): Promise<Ticket | null> {
  const rows = await database.orm.select(TICKET_COLUMNS).from(tickets).where(eq(tickets.id, id));
  return rows[0] ?? null;
}

async function findTicketByKey(database: Database, key: string): Promise<Ticket | null> {
  const rows = await database.orm.select(TICKET_COLUMNS).from(tickets).where(eq(tickets.key, key));
  return rows[0] ?? null;
}

export function listTickets(database: Database, filter: TicketFilter, paging: Paging): Promise<Ticket[]> {
  const conditions: SQL[] = [gt(tickets.id, paging.after ?? '')];
  if (filter.parentId !== undefined) conditions.push(eq(tickets.parentId, filter.parentId));
  if (filter.projectId !== undefined) conditions.push(eq(tickets.projectId, filter.projectId));
  if (filter.status !== undefined) conditions.push(eq(tickets.status, filter.status));
  return database.orm
    .select(TICKET_COLUMNS)
    .from(tickets)
    .where(and(...conditions))
    .orderBy(asc(tickets.id))
    .limit(paging.limit + 1);
}

/** The number is given by the database, in the order of commits. */
export async function insertTicket(
  database: Database,
  ticket: Omit<Ticket, 'number'>,
  key: string | null,
  actor: Actor,
): Promise<Ticket> {
  const number = sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM tickets)`;
  const { title, status, assignee, parentId, spaceId, projectId } = ticket;
  await database.write('ticket.create', [
    database.orm
      .insert(tickets)
      .values({ ...ticket, number, key })
      .onConflictDoNothing({ target: tickets.key }),
    eventIfChanged({
      at: ticket.createdAt,
      actor,
      type: 'ticket.created',
      subject: ticket.id,
      data: { title, status, assignee, parentId, spaceId, projectId },
    }),
  ]);
  const row = key === null ? null : await findTicketByKey(database, key);
  return row ?? found(await findTicket(database, ticket.id), 'ticket', ticket.id);
}

export type TicketFields = Partial<
  Pick<Ticket, 'title' | 'description' | 'status' | 'priority' | 'assignee' | 'projectId' | 'labels'>
>;

/** The event tells each change as `{ from, to }`, a description only as changed. */
export async function updateTicket(
  database: Database,
  before: Ticket,
  fields: TicketFields,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const version = before.version + 1;
  const [updated] = await database.write('ticket.change', [
    database.orm
      .update(tickets)
      .set({ ...fields, updatedAt: nowMs, version })
      .where(and(eq(tickets.id, before.id), eq(tickets.version, before.version))),
    eventIfChanged({
      at: nowMs,
      actor,
      type: 'ticket.changed',
      subject: before.id,
      data: { changes: told(before, fields), status: fields.status ?? before.status, version },
    }),
  ]);
  return updated?.rowsAffected === 1;
}

function told(before: Ticket, fields: TicketFields): Record<string, unknown> {
  const names = Object.keys(fields) as (keyof TicketFields)[];
  return Object.fromEntries(
    names.map((name) => [name, name === 'description' ? true : { from: before[name], to: fields[name] }]),
  );
}
