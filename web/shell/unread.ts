import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onWorkspaceEvent } from '../live/workspace-feed.ts';
import type { Seen } from './is-unread.ts';

/** What this browser has shown of each space. */
export const useSeen = create<Seen>()(
  persist((): Seen => ({ since: {}, seen: {} }), { name: 'control-center.seen', version: 1 }),
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
