import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Id, Key, Line } from '../fields.ts';

export const conversations = sqliteTable('conversations', {
  id: text().primaryKey(),
  spaceId: text().notNull(),
  kind: text().$type<'main' | 'thread'>().notNull(),
  parentMessageId: text(),
  title: text().notNull(),
  createdAt: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(conversations);
export const CONVERSATION_COLUMNS = columns;
export type Conversation = Omit<typeof conversations.$inferSelect, 'key'>;

/** A conversation as it is shown: with what has been said in it. */
export interface ShownConversation extends Conversation {
  messageCount: number;
  /** Null before the first message. */
  lastMessageAt: number | null;
}

/** A thread; the main conversation comes with its space. */
export const NewConversation = z.strictObject({
  title: Line,
  parentMessageId: Id.nullable().default(null),
  key: Key.optional(),
});
export type NewConversation = z.infer<typeof NewConversation>;
