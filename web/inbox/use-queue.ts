import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { inboxQuery } from '../shell/shell-queries.ts';
import { useAside } from './aside.ts';
import { askedAbout, type QueueItem, queueOf, type WaitingApproval } from './queue.ts';
import { useFollowDecisions, useSettled } from './settled.ts';
import { useTroubles } from './use-troubles.ts';

/** As many as the server gives at once; the usual look has the newest 200. */
const MOST = '1000';

export interface Queue {
  items: readonly QueueItem[];
  isLoaded: boolean;
  /** What went wrong is known, too. */
  isComplete: boolean;
  /** How many of the oldest are not among them. */
  beyond: number;
  error: Error | null;
  /** What went wrong could not be looked up, so that nothing is known of failures. */
  troubleError: Error | null;
  retry(): void;
}

/** Everything that wants a person, live. */
export function useQueue(ws: string): Queue {
  const usual = useQuery(inboxQuery(ws));
  const isMore = usual.data !== undefined && usual.data.count > usual.data.items.length;
  const whole = useQuery({
    queryKey: [...keys.inbox(ws), 'all'],
    queryFn: () =>
      ask(
        spaces.api.workspaces[':workspaceId'].inbox.$get({
          param: { workspaceId: ws },
          query: { limit: MOST },
        }),
      ),
    enabled: isMore,
  });
  const troubles = useTroubles(ws);
  const inbox = isMore ? (whole.data ?? usual.data) : usual.data;
  const waiting = (inbox?.items ?? NONE) as readonly WaitingApproval[];
  const settled = useSettled((state) => state.byId);
  const aside = useAside((state) => state.runIds);
  useFollowDecisions(ws, waiting);
  const hidden = useMemo(
    () => new Set([...aside, ...askedAbout(waiting, troubles.stopped)]),
    [aside, waiting, troubles.stopped],
  );
  const items = useMemo(
    () => queueOf(waiting, Object.values(settled), troubles.items, hidden),
    [waiting, settled, troubles.items, hidden],
  );
  return {
    items,
    isLoaded: usual.data !== undefined,
    isComplete: usual.data !== undefined && troubles.isKnown,
    beyond: (inbox?.count ?? 0) - waiting.length,
    error: usual.error,
    troubleError: troubles.error,
    retry: () => {
      void usual.refetch();
      troubles.retry();
    },
  };
}
const NONE: readonly never[] = [];
