import { createHash } from 'node:crypto';
import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { findConversation } from '../conversations/store.ts';
import type { SpacesDeps } from '../deps.ts';
import { found } from '../not-found.ts';
import { bytesOf, typeOf } from './content.ts';
import { AttachmentFiles } from './files.ts';
import type { Attachment, NewAttachment } from './schema.ts';
import { findAttachment, findAttachmentByKey, insertAttachment } from './store.ts';

/**
 * Keeps a file for a message of the conversation that is yet to be posted. Its bytes are on the disk before its row is
 * written, so that a row always has its bytes; bytes without a row are swept up later.
 * @throws Fault not_found (conversation), too_large, invalid_request
 */
export async function addAttachment(
  deps: SpacesDeps,
  workspaceId: string,
  conversationId: string,
  { key, name, mediaType, base64 }: NewAttachment,
  author: Actor,
): Promise<Attachment> {
  const database = await deps.databases.open(workspaceId);
  found(await findConversation(database, conversationId), 'conversation', conversationId);
  const known = key === undefined ? null : await findAttachmentByKey(database, key);
  if (known) return known;
  const bytes = bytesOf(base64);
  const id = newId('att');
  const files = new AttachmentFiles(deps.databases.directory(workspaceId));
  deps.onPoint?.('attachment.file:before');
  await files.write(id, bytes);
  deps.onPoint?.('attachment.file:after');
  const facts = {
    ...{ mediaType: typeOf(bytes, mediaType), size: bytes.length },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  const fresh = { id, conversationId, author, name, ...facts, createdAt: deps.clock(), messageId: null };
  const kept = await insertAttachment(database, fresh, key ?? null);
  if (kept.id !== id) await files.remove(id);
  return kept;
}

/** @throws Fault not_found; file_not_found when somebody has removed its file */
export async function readAttachment(
  deps: SpacesDeps,
  workspaceId: string,
  id: string,
): Promise<{ attachment: Attachment; bytes: Uint8Array<ArrayBuffer> }> {
  const attachment = found(
    await findAttachment(await deps.databases.open(workspaceId), id),
    'attachment',
    id,
  );
  const files = new AttachmentFiles(deps.databases.directory(workspaceId));
  const bytes = await files.read(attachment.id);
  if (bytes !== null) return { attachment, bytes };
  throw new Fault(
    'file_not_found',
    `The file of ${id} (${JSON.stringify(attachment.name)}) is not in the data directory any more. Restore it from a backup, or attach it again.`,
    { id },
  );
}
