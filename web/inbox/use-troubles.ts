import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, runs } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { type AgentState, type AgentTrouble, type StoppedRun, troublesOf } from './troubles.ts';

const MOST = '500';

interface Troubles {
  items: readonly AgentTrouble[];
  stopped: readonly StoppedRun[];
  /** Also when a later look failed. */
  isKnown: boolean;
  error: Error | null;
  retry(): void;
}

/** What went wrong: how agents stand, and runs that stopped while their agent was at work elsewhere. */
export function useTroubles(ws: string): Troubles {
  const at = runs.api.workspaces[':workspaceId'];
  const param = { workspaceId: ws };
  const states = useQuery({
    queryKey: keys.liveStates(ws),
    queryFn: () => ask(at['live-states'].$get({ param })),
  });
  const stopped = useQuery({
    queryKey: [...keys.liveStates(ws), 'stopped'],
    queryFn: () => ask(at.runs.$get({ param, query: { status: 'paused', limit: MOST } })),
  });
  const runsStopped = (stopped.data?.items ?? NONE) as readonly StoppedRun[];
  const items = useMemo(
    () => troublesOf((states.data?.items ?? NONE) as readonly AgentState[], runsStopped),
    [states.data, runsStopped],
  );
  return {
    items,
    stopped: runsStopped,
    isKnown: states.data !== undefined && stopped.data !== undefined,
    error: states.error ?? stopped.error,
    retry: () => void Promise.all([states.refetch(), stopped.refetch()]),
  };
}
const NONE: readonly never[] = [];
