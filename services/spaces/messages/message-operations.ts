import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { agentNames, unknownAgents } from '../agents/store.ts';
import { attachedFiles, notFree } from '../attachments/attaching-store.ts';
import { changeRow, differing } from '../compare-and-set.ts';
import type { Conversation } from '../conversations/schema.ts';
import { findConversation } from '../conversations/store.ts';
import { found, notFound } from '../not-found.ts';
import { isService } from '../permission.ts';
import { findSpace } from '../spaces/store.ts';
import { parseMentions } from './mentions.ts';
import type { Message, MessageChange, NewMessage } from './schema.ts';
import { findMessage, insertMessage, updateMessage } from './store.ts';
import { agentsToWake } from './wake.ts';

/** @throws Fault not_found for the conversation, or an agent that is to be woken; invalid_request for attachments that are not free */
export async function postMessage(
  database: Database,
  conversationId: string,
  { key, delivery = 'steer', wake: named, attachments: ids, ...input }: NewMessage,
  author: Actor,
  nowMs: number,
): Promise<{ message: Message; notices: string[] }> {
  const conversation = found(
    await findConversation(database, conversationId),
    'conversation',
    conversationId,
  );
  const space = found(await findSpace(database, conversation.spaceId), 'space', conversation.spaceId);
  const mentions = parseMentions(input.body, await agentNames(database));
  const parentAuthor = await authorOfParent(database, conversation);
  const roomAgents = space.agents;
  const [unknown] = named ? await unknownAgents(database, named) : [];
  if (unknown !== undefined) throw notFound('agent', unknown);
  const wake = agentsToWake({ author, kind: input.kind, named, mentions, parentAuthor, roomAgents });
  const fresh = {
    ...input,
    id: newId('msg'),
    attachments: await attachedFiles(database, ids),
    conversationId,
    author,
    mentions: mentions.agentIds,
    createdAt: nowMs,
    updatedAt: nowMs,
    version: 1,
  };
  const address = { spaceId: space.id, wake, delivery };
  const message = await insertMessage(database, fresh, key ?? null, ids, address);
  if (message) return { message, notices: mentions.notices };
  throw await notFree(database, { ids, messageId: fresh.id, conversationId, author });
}

/**
 * Mentions follow the new text, but an edit wakes nobody.
 * @throws Fault forbidden (only the author and services), not_found, conflict for a stale version
 */
export async function changeMessage(
  database: Database,
  id: string,
  { version, ...patch }: MessageChange,
  actor: Actor,
  nowMs: number,
): Promise<Message> {
  const read = async () => found(await findMessage(database, id), 'message', id);
  const agents = patch.body === undefined ? [] : await agentNames(database);
  return changeRow(version, read, async (before) => {
    if (before.author !== actor && !isService(actor)) {
      throw new Fault('forbidden', 'Only the author may change a message.', { author: before.author });
    }
    const changes = differing(before, patch);
    if (Object.keys(changes).length === 0) return true;
    const mentions =
      changes.body === undefined ? {} : { mentions: parseMentions(changes.body, agents).agentIds };
    return updateMessage(database, before, { ...defined(changes), ...mentions }, actor, nowMs);
  });
}

function defined({
  kind,
  body,
  data,
}: Partial<MessageChange>): Partial<Pick<Message, 'kind' | 'body' | 'data'>> {
  return { ...(kind && { kind }), ...(body !== undefined && { body }), ...(data && { data }) };
}

async function authorOfParent(database: Database, conversation: Conversation): Promise<Actor | null> {
  if (!conversation.parentMessageId) return null;
  const parent = await findMessage(database, conversation.parentMessageId);
  return parent?.author ?? null;
}
