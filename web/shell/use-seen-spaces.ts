import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRoute } from 'wouter';
import { spacesQuery } from './shell-queries.ts';
import { followMessages, markSeen, useLatest } from './unread.ts';
import { useMe } from './use-me.ts';

/** Keeps account of which spaces this browser has shown, for the marks in the sidebar. */
export function useSeenSpaces(ws: string): void {
  const { actor } = useMe();
  const [, params] = useRoute('/spaces/:id');
  const spaceId = params?.id ?? null;
  const latest = useLatest((state) => (spaceId === null ? 0 : (state.latest[spaceId] ?? 0)));
  const space = useQuery(spacesQuery(ws)).data?.items.find(({ id }) => id === spaceId);
  const shown = Math.max(latest, space?.lastMessageAt ?? 0);
  useEffect(() => followMessages(ws, actor), [ws, actor]);
  useEffect(() => {
    if (spaceId === null || shown === 0) return;
    const look = () => {
      if (document.visibilityState === 'visible') markSeen(spaceId, shown);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [spaceId, shown]);
}
