import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePresence } from '../shell/presence-store.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { liveStatesQuery, queueQuery, useBudgets } from './agent-data.ts';
import type { Look } from './failed-looks.tsx';
import { type RosterRow, rosterOf } from './roster.ts';

/** Every agent with how it stands, live. */
export function useRoster(ws: string): {
  rows: readonly RosterRow[] | null;
  /** Why there is no list; null while there is one, and while it is on its way. */
  error: Error | null;
  retry(): void;
  /** What is looked up beside the list itself. */
  looks: readonly Look[];
} {
  const agents = useQuery(agentsQuery(ws));
  const [statesLook, queueLook, budgetsLook] = [
    useQuery(liveStatesQuery(ws)),
    useQuery(queueQuery(ws)),
    useBudgets(ws),
  ];
  const [states, queue] = [statesLook.data?.items, queueLook.data?.items];
  const budgets = budgetsLook.data?.items;
  const items = usePresence((state) => state.items);
  const list = agents.data?.items;
  const rows = useMemo(() => {
    const here = items?.filter((item) => item.kind === 'agent') ?? [];
    return list ? rosterOf({ agents: list, states, queue, budgets, here }) : null;
  }, [list, states, queue, budgets, items]);
  return {
    ...{ rows, error: list ? null : agents.error, retry: () => void agents.refetch() },
    looks: [statesLook, queueLook, budgetsLook],
  };
}
