import type { AttachedFile } from '../../../services/spaces/attachments/schema.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';

/** A message of this person's that the server may not have yet. */
export interface Outgoing {
  /** Made once for what the person wants to say, so that saying it again after a failure posts it once. */
  key: string;
  ws: string;
  conversationId: string;
  body: string;
  attachments: AttachedFile[];
  delivery: 'steer' | 'queue' | null;
  /** Ids of the agents to wake, in place of those that it addresses; null for those. */
  wake: string[] | null;
  createdAt: number;
  /** The last message on the screen when it was written. */
  afterId: string | null;
  state: 'waiting' | 'sent' | 'failed';
  /** Once the server has it. */
  messageId: string | null;
  /** Why it failed, for the person to read. */
  problem: string | null;
  /** The server was not reached: it is tried again when the connection is back. */
  isUnreached: boolean;
}

/**
 * Those that have to be shown beside the messages. One whose message came before its answer did is recognised by what it
 * says: each of the person's own messages since stands for one of them.
 */
export function unshown(
  items: readonly Outgoing[],
  messages: readonly Message[],
  me: string,
): readonly Outgoing[] {
  const claimed = new Set(items.flatMap(({ messageId }) => messageId ?? []));
  return items.filter((item) => {
    if (item.messageId !== null) return !messages.some(({ id }) => id === item.messageId);
    if (item.state === 'failed') return true;
    const from = messages.findIndex(({ id }) => id === item.afterId) + 1;
    const twin = messages
      .slice(from)
      .find(({ id, author, body }) => author === me && body === item.body && !claimed.has(id));
    if (twin) claimed.add(twin.id);
    return !twin;
  });
}

/** What was under way when the page was left may have arrived or not; trying again is safe, since the key is the same. */
export function revived(stored: unknown): Outgoing[] {
  if (!Array.isArray(stored)) return [];
  const items = stored.filter(
    (item): item is Outgoing =>
      typeof item === 'object' &&
      item !== null &&
      'key' in item &&
      'body' in item &&
      'conversationId' in item,
  );
  return items
    .filter(({ state }) => state !== 'sent')
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((item) => ({ ...item, state: 'waiting' }));
}
