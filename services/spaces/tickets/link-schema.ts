import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Id } from '../fields.ts';

export const LinkKind = z.enum(['blocks', 'relatesTo', 'duplicateOf']);
export type LinkKind = z.infer<typeof LinkKind>;

export const ticketLinks = sqliteTable('ticketLinks', {
  id: text().primaryKey(),
  fromId: text().notNull(),
  toId: text().notNull(),
  kind: text().$type<LinkKind>().notNull(),
  createdAt: integer().notNull(),
  createdBy: text().$type<Actor>().notNull(),
});
export const TICKET_LINK_COLUMNS = {
  id: ticketLinks.id,
  kind: ticketLinks.kind,
  from: ticketLinks.fromId,
  to: ticketLinks.toId,
  createdAt: ticketLinks.createdAt,
};
export interface TicketLink {
  id: string;
  kind: LinkKind;
  from: string;
  to: string;
  createdAt: number;
}

export const NewTicketLink = z.strictObject({ kind: LinkKind, to: Id });
export type NewTicketLink = z.infer<typeof NewTicketLink>;
