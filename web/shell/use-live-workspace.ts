import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { keepFresh } from '../live/invalidation.ts';
import { followWorkspace } from '../live/workspace-feed.ts';
import { rememberWorkspace } from './workspaces.tsx';

/**
 * Follows the workspace from the event up to which the inbox is true. Screens are shown once that event is known: whatever they
 * read afterwards is newer, and whatever changes later is told.
 */
export function useLiveWorkspace(ws: string): { isReady: boolean; error: Error | null; retry(): void } {
  const inbox = useQuery({
    queryKey: keys.inbox(ws),
    queryFn: () =>
      ask(spaces.api.workspaces[':workspaceId'].inbox.$get({ param: { workspaceId: ws }, query: {} })),
  });
  const [from, setFrom] = useState<number | null>(null);
  const seq = inbox.data?.seq;
  if (from === null && seq !== undefined) setFrom(seq);
  useEffect(() => {
    if (from === null) return;
    rememberWorkspace(ws);
    const stops = [keepFresh(ws), followWorkspace(ws, from)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [ws, from]);
  return {
    isReady: from !== null,
    error: from === null ? inbox.error : null,
    retry: () => void inbox.refetch(),
  };
}
