import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { ask, spaces } from '../../api/client.ts';
import { useConnection } from '../../live/connection.ts';
import { onWorkspaceEvent } from '../../live/workspace-feed.ts';
import type { LogState } from './log-state.ts';
import { MessageLog, type MessageSource } from './message-log.ts';

/** The logs that are on the screen; one conversation may be twice. */
const open = new Set<MessageLog>();

/** Asks for what is new now, for whoever knows of it before the event comes. */
export function catchUp(conversationId: string): void {
  for (const log of open) if (log.conversationId === conversationId) log.catchUp();
}

/** The last message here; null when the conversation is not open, or empty. */
export function lastMessageId(conversationId: string): string | null {
  for (const log of open)
    if (log.conversationId === conversationId) return log.state.messages.at(-1)?.id ?? null;
  return null;
}

/** The newest message of a conversation on the screen that `isWanted`, for the composer's "edit the last one". */
export function lastMessage(conversationId: string, isWanted: (message: Message) => boolean): Message | null {
  for (const log of open)
    if (log.conversationId === conversationId) return log.state.messages.findLast(isWanted) ?? null;
  return null;
}

/** A conversation's messages, live while the component is up. */
export function useMessageLog(ws: string, conversationId: string): { log: MessageLog; state: LogState } {
  const [log] = useState(() => new MessageLog(conversationId, sourceOf(ws, conversationId)));
  const state = useSyncExternalStore(log.subscribe, () => log.state);
  useEffect(() => {
    open.add(log);
    // Listening begins before the first look, so that nothing falls between the two.
    const stop = onWorkspaceEvent((event) => log.take(event));
    void log.load();
    const stopWaiting = useConnection.subscribe(({ state }) => {
      if (state === 'open' && log.state.error !== null && !log.state.isLoaded) void log.load();
    });
    return () => {
      stop();
      stopWaiting();
      open.delete(log);
      log.close();
    };
  }, [log]);
  return { log, state };
}

function sourceOf(workspaceId: string, id: string): MessageSource {
  const messages = spaces.api.workspaces[':workspaceId'].conversations[':id'].messages;
  const page = (query: Record<string, string>) =>
    ask(messages.$get({ param: { workspaceId, id }, query })) as Promise<{
      items: Message[];
      next: string | null;
    }>;
  return {
    latest: (count) => page({ latest: String(count) }),
    before: (before, count) => page({ before, limit: String(count) }),
    after: (after, count) => page({ limit: String(count), ...(after !== null && { after }) }),
    one: (messageId) =>
      ask(
        spaces.api.workspaces[':workspaceId'].messages[':id'].$get({ param: { workspaceId, id: messageId } }),
      ),
  };
}
