import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import type { Fault } from '../../kit/fault.ts';
import { invalidRequest } from '../../kit/validate.ts';
import type { AttachedFile, Attachment } from './schema.ts';
import { findAttachments } from './store.ts';

/** What is to be attached, and by whom to what. */
interface Attaching {
  /** Of attachments, each once. */
  ids: readonly string[];
  messageId: string;
  conversationId: string;
  author: Actor;
}

/** As a message shows them, in the order of the ids; what is not there is left out. */
export async function attachedFiles(database: Database, ids: readonly string[]): Promise<AttachedFile[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await findAttachments(database, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [{ id, name: row.name, mediaType: row.mediaType, size: row.size }] : [];
  });
}

/** Holds where each of them waits for a message of this author in this conversation. */
export function areFree({ ids, conversationId, author }: Attaching): SQL {
  if (ids.length === 0) return sql`1`;
  return sql`(SELECT count(*) FROM attachments WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    AND conversationId = ${conversationId} AND author = ${author} AND messageId IS NULL) = ${ids.length}`;
}

/** For the batch of the message's row, behind it: makes them the message's when the row was written. */
export function attachStatements({ ids, messageId }: Attaching): Statement[] {
  if (ids.length === 0) return [];
  return [
    {
      sql: `UPDATE attachments SET messageId = ? WHERE id IN (SELECT value FROM json_each(?))
        AND EXISTS (SELECT 1 FROM messages WHERE id = ?)`,
      args: [messageId, JSON.stringify(ids), messageId],
    },
  ];
}

/** Why a message could not have them, each by its place in the request. */
export async function notFree(database: Database, attaching: Attaching): Promise<Fault> {
  const rows = new Map((await findAttachments(database, attaching.ids)).map((row) => [row.id, row]));
  const issues = attaching.ids.flatMap((id, place) => {
    const message = whyNot(rows.get(id), attaching);
    return message === null ? [] : [{ path: ['attachments', place], message: `${id} ${message}` }];
  });
  return invalidRequest('json', issues);
}

function whyNot(row: Attachment | undefined, { conversationId, author }: Attaching): string | null {
  if (!row) return 'is no attachment of this workspace; what is not sent within a day is removed';
  if (row.conversationId !== conversationId) return `was made for the conversation ${row.conversationId}`;
  if (row.author !== author) return `was made by ${row.author}, who alone may send it`;
  return row.messageId === null ? null : `is part of the message ${row.messageId} already`;
}
