import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { ATTACHMENT_COLUMNS, type Attachment, attachments } from './schema.ts';

export async function findAttachment(database: Database, id: string): Promise<Attachment | null> {
  return (await findAttachments(database, [id]))[0] ?? null;
}

/** Those of them that there are, in no order. */
export function findAttachments(database: Database, ids: readonly string[]): Promise<Attachment[]> {
  return database.orm
    .select(ATTACHMENT_COLUMNS)
    .from(attachments)
    .where(sql`${attachments.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

export async function findAttachmentByKey(database: Database, key: string): Promise<Attachment | null> {
  const rows = await database.orm
    .select(ATTACHMENT_COLUMNS)
    .from(attachments)
    .where(eq(attachments.key, key));
  return rows[0] ?? null;
}

/** Writes the row and `attachment.added`, once per key. */
export async function insertAttachment(
  database: Database,
  attachment: Attachment,
  key: string | null,
): Promise<Attachment> {
  const { id, author, createdAt } = attachment;
  await database.write('attachment.add', [
    database.orm
      .insert(attachments)
      .values({ ...attachment, key })
      .onConflictDoNothing({ target: attachments.key }),
    eventIfChanged({
      at: createdAt,
      actor: author,
      type: 'attachment.added',
      subject: id,
      data: facts(attachment),
    }),
  ]);
  return (key === null ? null : await findAttachmentByKey(database, key)) ?? attachment;
}

/** Those that were made until then and have no message. */
export function unsentAttachments(database: Database, untilMs: number): Promise<Attachment[]> {
  return database.orm
    .select(ATTACHMENT_COLUMNS)
    .from(attachments)
    .where(and(isNull(attachments.messageId), lte(attachments.createdAt, untilMs)));
}

/** @returns whether it was removed; one that has a message now stays */
export async function deleteUnsent(
  database: Database,
  attachment: Attachment,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const { id } = attachment;
  const [deleted] = await database.write('attachment.remove', [
    database.orm.delete(attachments).where(and(eq(attachments.id, id), isNull(attachments.messageId))),
    eventIfChanged({ at: nowMs, actor, type: 'attachment.removed', subject: id, data: facts(attachment) }),
  ]);
  return deleted?.rowsAffected === 1;
}

function facts({ conversationId, name, size }: Attachment) {
  return { conversationId, name, size };
}
