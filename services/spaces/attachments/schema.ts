import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Key, TURNING } from '../fields.ts';

export const attachments = sqliteTable('attachments', {
  id: text().primaryKey(),
  conversationId: text().notNull(),
  author: text().$type<Actor>().notNull(),
  name: text().notNull(),
  /** What the bytes are, whatever was said of them. */
  mediaType: text().notNull(),
  /** Bytes. */
  size: integer().notNull(),
  /** Of the bytes, in hexadecimal digits. */
  sha256: text().notNull(),
  createdAt: integer().notNull(),
  /** Null until a message is posted with it; then it is that message's for good. */
  messageId: text(),
  key: text(),
});
const { key, ...columns } = getTableColumns(attachments);
export const ATTACHMENT_COLUMNS = columns;
export type Attachment = Omit<typeof attachments.$inferSelect, 'key'>;

/** As a message shows it. */
export type AttachedFile = Pick<Attachment, 'id' | 'name' | 'mediaType' | 'size'>;

/** The name of a file, of which nothing can be read as a path. */
const FileName = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(255, 'must be 255 characters at most')
  .regex(
    new RegExp(`^[^\\p{Cc}\\u2028\\u2029${TURNING}]*$`, 'u'),
    'must be a single line without control characters and marks of direction',
  )
  .regex(/^[^/\\]*$/, 'must be the name alone, without folders: no / and no \\')
  .refine((name) => name !== '.' && name !== '..', 'must name a file');

export const NewAttachment = z.strictObject({
  name: FileName,
  /** What the sender takes it for; believed of text only. */
  mediaType: z.string().max(200).default(''),
  /** The bytes, at most 5 MiB of them. */
  base64: z.string(),
  key: Key.optional(),
});
export type NewAttachment = z.infer<typeof NewAttachment>;
