import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { MAX_ATTACHMENTS } from '../attachments/limits.ts';
import type { AttachedFile } from '../attachments/schema.ts';
import { Id, JsonObject, Key, Markdown, Paging, Version } from '../fields.ts';

export const MessageKind = z.enum([
  'text',
  'proposal',
  'plan',
  'question',
  'approval',
  'deliverable',
  'position',
  'notice',
  'review',
]);
export type MessageKind = z.infer<typeof MessageKind>;

export const messages = sqliteTable('messages', {
  /** Order of commits, which two processes' ids do not give. */
  seq: integer().primaryKey(),
  id: text().notNull(),
  conversationId: text().notNull(),
  author: text().$type<Actor>().notNull(),
  kind: text().$type<MessageKind>().notNull(),
  body: text().notNull(),
  data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** Ids of agents. */
  mentions: text({ mode: 'json' }).$type<string[]>().notNull(),
  /** Never change; `[]` for none. */
  attachments: text({ mode: 'json' }).$type<AttachedFile[]>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
});
const { key, seq, ...columns } = getTableColumns(messages);
export const MESSAGE_COLUMNS = columns;
export type Message = Omit<typeof messages.$inferSelect, 'key' | 'seq'>;

export const NewMessage = z
  .strictObject({
    kind: MessageKind.default('text'),
    body: Markdown,
    data: JsonObject.default({}),
    /** Whether an agent at work is told of it at once, or does it afterwards in a run of its own; `steer` unless told. */
    delivery: z.enum(['steer', 'queue']).optional(),
    /** Ids of the agents that a person's text wakes, in place of those it addresses. */
    wake: z.array(Id).max(20).optional(),
    /** Ids of attachments of the author's own, made for this conversation and part of no message yet, each once. */
    attachments: z
      .array(Id)
      .max(MAX_ATTACHMENTS, `must be ${MAX_ATTACHMENTS} at most`)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name one twice')
      .default([]),
    key: Key.optional(),
  })
  .refine(
    ({ kind, body, attachments }) => kind !== 'text' || body.trim().length > 0 || attachments.length > 0,
    { path: ['body'], message: 'must not be blank in a message without attachments' },
  );
export type NewMessage = z.infer<typeof NewMessage>;

export const MessageChange = z.strictObject({
  kind: MessageKind.optional(),
  body: Markdown.optional(),
  data: JsonObject.optional(),
  version: Version.optional(),
});
export type MessageChange = z.infer<typeof MessageChange>;

/** Of `after`, `before` and `latest` one at most; every page has the oldest first. */
export const MessageQuery = Paging.extend({
  /** The page that ends just before this message; `next` of the answer is the `before` of the page before. */
  before: Id.optional(),
  /** The newest, this many; `next` as with `before`. */
  latest: z.coerce.number().int().min(1).max(1000).optional(),
}).refine(
  (query) => [query.after, query.before, query.latest].filter((way) => way !== undefined).length < 2,
  {
    path: ['before'],
    message: 'goes with neither `after` nor `latest`',
  },
);
