import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onWorkspaceEvent } from '../live/workspace-feed.ts';

interface Unread {
  /** When this browser first opened the workspace: what was said before is not news. */
  since: Readonly<Record<string, number>>;
  /** When each space was last looked at. */
  seen: Readonly<Record<string, number>>;
}

/** What this browser has shown of each space. */
export const useSeen = create<Unread>()(
  persist((): Unread => ({ since: {}, seen: {} }), { name: 'control-center.seen', version: 1 }),
);

/** The newest message of others by space, as it came in since the workspace was opened. */
export const useLatest = create<{ latest: Readonly<Record<string, number>> }>()(() => ({ latest: {} }));

/** Takes note of what others say in the workspace, until the result is called. @param me the actor who is signed in */
export function followMessages(ws: string, me: string): () => void {
  useSeen.setState(({ since }) => (ws in since ? {} : { since: { ...since, [ws]: Date.now() } }));
  return onWorkspaceEvent(({ type, actor, at, data }) => {
    if (type !== 'message.posted' || actor === me || typeof data.spaceId !== 'string') return;
    const { spaceId } = data;
    useLatest.setState(({ latest }) => ({ latest: { ...latest, [spaceId]: at } }));
  });
}

/** The person looks at the space now. */
export function markSeen(spaceId: string, at: number): void {
  useSeen.setState(({ seen }) => ({ seen: { ...seen, [spaceId]: at } }));
}

/** Whether something was said that this browser has not shown. @param lastMessageAt as the server told it; null for none */
export function isUnread(
  { since, seen }: Unread,
  ws: string,
  spaceId: string,
  lastMessageAt: number | null,
  latest: number | undefined,
): boolean {
  const shownUpTo = seen[spaceId] ?? since[ws];
  const newest = Math.max(lastMessageAt ?? 0, latest ?? 0);
  return shownUpTo !== undefined && newest > shownUpTo;
}
