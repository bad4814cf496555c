import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { areFree, attachStatements } from '../attachments/attaching-store.ts';
import { type Page, type Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { MESSAGE_COLUMNS, type Message, messages } from './schema.ts';

export async function findMessage(database: Database, id: string): Promise<Message | null> {
  const rows = await database.orm.select(MESSAGE_COLUMNS).from(messages).where(eq(messages.id, id));
  return rows[0] ?? null;
}

async function findMessageByKey(database: Database, key: string): Promise<Message | null> {
  const rows = await database.orm.select(MESSAGE_COLUMNS).from(messages).where(eq(messages.key, key));
  return rows[0] ?? null;
}

/** In the order of commits. @throws Fault not_found when `after` is no message */
export async function listMessages(
  database: Database,
  conversationId: string,
  paging: Paging,
): Promise<Message[]> {
  const afterSeq = paging.after === undefined ? 0 : await seqOf(database, paging.after);
  return database.orm
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), gt(messages.seq, afterSeq)))
    .orderBy(asc(messages.seq))
    .limit(paging.limit + 1);
}

/**
 * The last `limit` before a message, or of all, in the order of commits; `next` is the message before which there are more.
 * @throws Fault not_found when `before` is no message
 */
export async function messagesBefore(
  database: Database,
  conversationId: string,
  before: string | undefined,
  limit: number,
): Promise<Page<Message>> {
  const isBefore = before === undefined ? [] : [lt(messages.seq, await seqOf(database, before))];
  const rows = await database.orm
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), ...isBefore))
    .orderBy(desc(messages.seq))
    .limit(limit + 1);
  const { items, next } = pageOf(rows, limit);
  return { items: items.reverse(), next };
}

async function seqOf(database: Database, id: string): Promise<number> {
  const rows = await database.orm.select({ seq: messages.seq }).from(messages).where(eq(messages.id, id));
  return found(rows[0], 'message', id).seq;
}

/**
 * Writes the row and `message.posted`, once per key, and makes the attachments the message's.
 * @returns the message of that key; null when one of the attachments is not free, and nothing was written
 */
export async function insertMessage(
  database: Database,
  message: Message,
  key: string | null,
  attachmentIds: readonly string[],
  address: { spaceId: string; wake: string[]; delivery: 'steer' | 'queue' },
): Promise<Message | null> {
  const { id: messageId, conversationId, author, mentions, kind, attachments } = message;
  const attaching = { ids: attachmentIds, messageId, conversationId, author };
  const files = attachments.map(({ id, name, size }) => ({ id, name, size }));
  await database.write('message.post', [
    insertion(database, message, key, areFree(attaching)),
    eventIfChanged({
      at: message.createdAt,
      actor: author,
      type: 'message.posted',
      subject: messageId,
      data: { conversationId, kind, mentions, ...(files.length > 0 && { attachments: files }), ...address },
    }),
    ...attachStatements(attaching),
  ]);
  return key === null ? findMessage(database, messageId) : findMessageByKey(database, key);
}

/** The columns in the order of the table, which a select has to keep to. */
function insertion({ orm }: Database, message: Message, key: string | null, condition: SQL) {
  const { id, conversationId, author, kind, body, mentions, attachments, version } = message;
  const facts = sql`${id}, ${conversationId}, ${author}, ${kind}, ${body}, ${shown(message.data)}`;
  const lists = sql`${JSON.stringify(mentions)}, ${JSON.stringify(attachments)}`;
  const rest = sql`${message.createdAt}, ${message.updatedAt}, ${version}, ${key}`;
  const row = sql`SELECT NULL, ${facts}, ${lists}, ${rest} WHERE ${condition}`;
  return orm.insert(messages).select(row).onConflictDoNothing({ target: messages.key });
}

export async function updateMessage(
  database: Database,
  before: Message,
  changes: Partial<Pick<Message, 'kind' | 'body' | 'data' | 'mentions'>>,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const version = before.version + 1;
  const [updated] = await database.write('message.change', [
    database.orm
      .update(messages)
      .set({ ...changes, ...(changes.data && { data: shown(changes.data) }), updatedAt: nowMs, version })
      .where(and(eq(messages.id, before.id), eq(messages.version, before.version))),
    eventIfChanged({
      at: nowMs,
      actor,
      type: 'message.changed',
      subject: before.id,
      data: { conversationId: before.conversationId, changed: Object.keys(changes), version },
    }),
  ]);
  return updated?.rowsAffected === 1;
}

/** The data as it is kept: one that shows an approval which waits no more has the approval's status. */
function shown(data: Message['data']): SQL {
  const text = JSON.stringify(data);
  if (typeof data.approvalId !== 'string') return sql`${text}`;
  return sql`coalesce((SELECT json_set(${text}, '$.status', status) FROM approvals
    WHERE id = ${data.approvalId} AND status <> 'pending'), ${text})`;
}
