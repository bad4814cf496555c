import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import { useConnection } from '../live/connection.ts';
import { keepFresh } from '../live/invalidation.ts';
import { followWorkspace } from '../live/workspace-feed.ts';
import { inboxQuery } from './shell-queries.ts';
import { rememberWorkspace } from './workspace-memory.ts';

/**
 * Follows the workspace from the event up to which the inbox is true. Screens are shown once that event is known: whatever they
 * read afterwards is newer, and whatever changes later is told.
 */
export function useLiveWorkspace(ws: string): { isReady: boolean; error: Error | null; retry(): void } {
  const inbox = useQuery(inboxQuery(ws));
  const [from, setFrom] = useState<number | null>(null);
  const seq = inbox.data?.seq;
  if (from === null && seq !== undefined) setFrom(seq);
  useEffect(() => {
    if (from === null) return;
    rememberWorkspace(ws);
    const stops = [keepFresh(ws), followWorkspace(ws, from), lookAgainOnceBack()];
    return () => {
      for (const stop of stops) stop();
      // Nobody tells what changes here from now on.
      void queryClient.invalidateQueries({ predicate: isOf(ws), refetchType: 'none' });
    };
  }, [ws, from]);
  return {
    isReady: from !== null,
    error: from === null ? inbox.error : null,
    retry: () => void inbox.refetch(),
  };
}

/** What could not be looked up while the connection was lost, no event tells of again. */
function lookAgainOnceBack(): () => void {
  return useConnection.subscribe(({ state }, before) => {
    if (state !== 'open' || before.state === 'open') return;
    void queryClient.invalidateQueries({
      predicate: ({ state: { status, isInvalidated } }) => status === 'error' || isInvalidated,
    });
  });
}

const isOf =
  (ws: string) =>
  ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
    queryKey[1] === ws;
