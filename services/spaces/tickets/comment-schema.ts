import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Key, Markdown } from '../fields.ts';

export const ticketComments = sqliteTable('ticketComments', {
  id: text().primaryKey(),
  ticketId: text().notNull(),
  author: text().$type<Actor>().notNull(),
  body: text().notNull(),
  createdAt: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(ticketComments);
export const TICKET_COMMENT_COLUMNS = columns;
export type TicketComment = Omit<typeof ticketComments.$inferSelect, 'key'>;

export const NewTicketComment = z.strictObject({
  body: Markdown.refine((body) => body.trim().length > 0, 'must not be blank'),
  key: Key.optional(),
});
export type NewTicketComment = z.infer<typeof NewTicketComment>;
