import { and, asc, eq, or } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { type LinkKind, TICKET_LINK_COLUMNS, type TicketLink, ticketLinks } from './link-schema.ts';

/** Links that begin or end at the ticket. */
export function linksOf(database: Database, ticketId: string): Promise<TicketLink[]> {
  return database.orm
    .select(TICKET_LINK_COLUMNS)
    .from(ticketLinks)
    .where(or(eq(ticketLinks.fromId, ticketId), eq(ticketLinks.toId, ticketId)))
    .orderBy(asc(ticketLinks.id));
}

export function linksOfKind(database: Database, kind: LinkKind): Promise<TicketLink[]> {
  return database.orm.select(TICKET_LINK_COLUMNS).from(ticketLinks).where(eq(ticketLinks.kind, kind));
}

export async function findLink(
  database: Database,
  kind: LinkKind,
  from: string,
  to: string,
): Promise<TicketLink | null> {
  const rows = await database.orm
    .select(TICKET_LINK_COLUMNS)
    .from(ticketLinks)
    .where(and(eq(ticketLinks.kind, kind), eq(ticketLinks.fromId, from), eq(ticketLinks.toId, to)));
  return rows[0] ?? null;
}

/**
 * Inserts the link unless it is there or its start can be reached from its end; one statement, so that two links that
 * would close a circle together cannot both be made.
 */
export async function insertLink(database: Database, link: TicketLink, actor: Actor): Promise<boolean> {
  const [inserted] = await database.write('ticket.link', [
    {
      sql: `INSERT INTO ticketLinks (id, kind, fromId, toId, createdAt, createdBy) SELECT ?, ?, ?, ?, ?, ?
            WHERE NOT EXISTS (
              WITH RECURSIVE reached (id) AS (
                SELECT ? UNION
                SELECT next.toId FROM ticketLinks next JOIN reached ON next.fromId = reached.id WHERE next.kind = ?
              ) SELECT 1 FROM reached WHERE id = ?
            ) ON CONFLICT (kind, fromId, toId) DO NOTHING`,
      args: [link.id, link.kind, link.from, link.to, link.createdAt, actor, link.to, link.kind, link.from],
    },
    eventIfChanged({
      at: link.createdAt,
      actor,
      type: 'ticket.linked',
      subject: link.from,
      data: { linkId: link.id, kind: link.kind, to: link.to },
    }),
  ]);
  return inserted?.rowsAffected === 1;
}
