import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { TICKET_COMMENT_COLUMNS, type TicketComment, ticketComments } from './comment-schema.ts';

export function listComments(database: Database, ticketId: string): Promise<TicketComment[]> {
  return database.orm
    .select(TICKET_COMMENT_COLUMNS)
    .from(ticketComments)
    .where(eq(ticketComments.ticketId, ticketId))
    .orderBy(asc(ticketComments.id));
}

export async function insertComment(
  database: Database,
  comment: TicketComment,
  key: string | null,
): Promise<TicketComment> {
  await database.write('ticket.comment', [
    database.orm
      .insert(ticketComments)
      .values({ ...comment, key })
      .onConflictDoNothing({ target: ticketComments.key }),
    eventIfChanged({
      at: comment.createdAt,
      actor: comment.author,
      type: 'ticket.commented',
      subject: comment.ticketId,
      data: { commentId: comment.id },
    }),
  ]);
  if (key === null) return comment;
  const rows = await database.orm
    .select(TICKET_COMMENT_COLUMNS)
    .from(ticketComments)
    .where(eq(ticketComments.key, key));
  return rows[0] ?? comment;
}
