import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { findMessage } from '../messages/store.ts';
import { found, notFound } from '../not-found.ts';
import { findSpace } from '../spaces/store.ts';
import type { Conversation, NewConversation } from './schema.ts';
import { findConversation, insertConversation } from './store.ts';

/** @throws Fault not_found (space, parent message), invalid_request when the parent message is in another space */
export async function openThread(
  database: Database,
  spaceId: string,
  { key, ...input }: NewConversation,
  actor: Actor,
  nowMs: number,
): Promise<Conversation> {
  found(await findSpace(database, spaceId), 'space', spaceId);
  if (input.parentMessageId) await checkParent(database, spaceId, input.parentMessageId);
  const thread = { ...input, id: newId('cnv'), spaceId, kind: 'thread' as const, createdAt: nowMs };
  return insertConversation(database, thread, key ?? null, actor);
}

async function checkParent(database: Database, spaceId: string, messageId: string): Promise<void> {
  const message = found(await findMessage(database, messageId), 'message', messageId);
  const conversation = await findConversation(database, message.conversationId);
  if (!conversation) throw notFound('conversation', message.conversationId);
  if (conversation.spaceId === spaceId) return;
  throw new Fault('invalid_request', 'The message a thread grows from must be in the same space.', {
    faults: [{ path: 'parentMessageId', message: `is in space ${conversation.spaceId}` }],
  });
}
