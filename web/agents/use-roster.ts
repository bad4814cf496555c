import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePresence } from '../shell/presence-store.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { liveStatesQuery, queueQuery, useBudgets } from './agent-data.ts';
import { type RosterRow, rosterOf } from './roster.ts';

/** Every agent with how it stands, live. */
export function useRoster(ws: string): {
  rows: readonly RosterRow[] | null;
  error: Error | null;
  retry(): void;
} {
  const agents = useQuery(agentsQuery(ws));
  const states = useQuery(liveStatesQuery(ws)).data?.items;
  const queue = useQuery(queueQuery(ws)).data?.items;
  const budgets = useBudgets(ws).data?.items;
  const items = usePresence((state) => state.items);
  const list = agents.data?.items;
  const rows = useMemo(() => {
    const here = items?.filter((item) => item.kind === 'agent') ?? [];
    return list ? rosterOf({ agents: list, states, queue, budgets, here }) : null;
  }, [list, states, queue, budgets, items]);
  return { rows, error: list ? null : agents.error, retry: () => void agents.refetch() };
}
