import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { AuditEntry } from '../../services/spaces/audit/audit.ts';
import { ask, runs, spaces } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { onWorkspaceEvent, type WorkspaceEvent } from '../live/workspace-feed.ts';

interface Page<T> {
  items: T[];
  next: string | null;
}

const PAGE = 40;
/** However many events come, all pages that are open are asked for again at most this often. */
const REST_MS = 2_000;

/** Every run of an agent, the newest first, page by page; kept true while the screen is up. */
export function useAgentRuns(ws: string, agentId: string) {
  const queryKey = ['agent-runs', ws, agentId] as const;
  useRefreshOn(({ type }) => type.startsWith('run.'), queryKey);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => runsPage(ws, agentId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // While no screen shows it, nothing keeps it true.
    staleTime: 0,
  });
}

async function runsPage(workspaceId: string, agentId: string, before: string | null): Promise<Page<Run>> {
  const query = {
    agentId,
    order: 'newest' as const,
    limit: String(PAGE),
    ...(before !== null && { before }),
  };
  const page = await ask(runs.api.workspaces[':workspaceId'].runs.$get({ param: { workspaceId }, query }));
  return page as unknown as Page<Run>;
}

/** Who changed an agent, what and when, the newest first, page by page. */
export function useAgentChanges(ws: string, agentId: string) {
  const queryKey = ['agent-changes', ws, agentId] as const;
  useRefreshOn(({ type, subject }) => type.startsWith('agent.') && subject === agentId, queryKey);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => auditPage(ws, agentId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // While no screen shows it, nothing keeps it true.
    staleTime: 0,
  });
}

async function auditPage(
  workspaceId: string,
  subject: string,
  before: string | null,
): Promise<Page<AuditEntry>> {
  const query = { subject, limit: String(PAGE), ...(before !== null && { before }) };
  const page = await ask(spaces.api.workspaces[':workspaceId'].audit.$get({ param: { workspaceId }, query }));
  return page as unknown as Page<AuditEntry>;
}

/** The first event that fits brings a look at once, those that follow it soon one more together. */
function useRefreshOn(
  fits: (event: WorkspaceEvent) => boolean,
  [noun, ws, id]: readonly [string, string, string],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what fits depends on the key alone
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOwed = false;
    const look = () => {
      isOwed = false;
      void queryClient.invalidateQueries({ queryKey: [noun, ws, id] });
      timer = setTimeout(() => {
        timer = undefined;
        if (isOwed) look();
      }, REST_MS);
    };
    const stop = onWorkspaceEvent((event) => {
      if (!fits(event)) return;
      isOwed = true;
      if (timer === undefined) look();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [noun, ws, id]);
}
