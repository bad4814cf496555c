import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { inboxQuery } from '../shell/shell-queries.ts';
import { useAway } from './away.ts';
import { askedAbout, type QueueItem, queueOf, type WaitingApproval } from './queue.ts';
import { useFollowDecisions, useSettled } from './settled.ts';
import { useTroubles } from './use-troubles.ts';

/** As many as the server gives at once; the usual look has the newest 200. */
const MOST = '1000';

export interface Queue {
  items: readonly QueueItem[];
  /** Ids of what this person has put off. */
  away: ReadonlySet<string>;
  isLoaded: boolean;
  /** What went wrong is known, too. */
  isComplete: boolean;
  /** How many of the oldest are not among them. */
  beyond: number;
  /** Of the last look; what an earlier one found is still among the items. */
  error: Error | null;
  areTroublesKnown: boolean;
  /** The same of what went wrong. */
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
  const byId = useAway((state) => state.byId);
  useFollowDecisions(ws, waiting);
  const away = useMemo(() => new Set(Object.keys(byId)), [byId]);
  const hidden = useMemo(() => new Set(askedAbout(waiting, troubles.stopped)), [waiting, troubles.stopped]);
  const items = useMemo(
    () => queueOf(waiting, Object.values(settled), troubles.items, hidden),
    [waiting, settled, troubles.items, hidden],
  );
  return {
    items,
    away,
    isLoaded: usual.data !== undefined,
    isComplete: usual.data !== undefined && (troubles.isKnown || troubles.error !== null),
    beyond: (inbox?.count ?? 0) - waiting.length,
    error: usual.error ?? whole.error,
    areTroublesKnown: troubles.isKnown,
    troubleError: troubles.error,
    retry: () => {
      void usual.refetch();
      if (isMore) void whole.refetch();
      troubles.retry();
    },
  };
}
const NONE: readonly never[] = [];
