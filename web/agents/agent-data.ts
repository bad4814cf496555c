import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask, runs, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { onWorkspaceEvent } from '../live/workspace-feed.ts';
import { usePresence } from '../shell/presence-store.ts';

const ofRuns = runs.api.workspaces[':workspaceId'];
const ofSpaces = spaces.api.workspaces[':workspaceId'];

/** Below the key of live states, so that what an event of a run makes stale is asked for again with them. */
const queueKey = (ws: string) => [...keys.liveStates(ws), 'queue'] as const;
const budgetsKey = (ws: string) => [...keys.liveStates(ws), 'budgets'] as const;

/** How each agent stands, from its latest run. */
export const liveStatesQuery = (ws: string) =>
  queryOptions({
    queryKey: [...keys.liveStates(ws), 'states'],
    queryFn: () => ask(ofRuns['live-states'].$get({ param: { workspaceId: ws } })),
  });

/** Runs that wait for their turn. */
export const queueQuery = (ws: string) =>
  queryOptions({
    queryKey: queueKey(ws),
    queryFn: () =>
      ask(ofRuns.runs.$get({ param: { workspaceId: ws }, query: { status: 'queued', limit: '500' } })),
  });

/** What may be spent and has been, this month (UTC) for agents and the workspace. */
const budgetsQuery = (ws: string) =>
  queryOptions({
    queryKey: budgetsKey(ws),
    queryFn: () => ask(ofRuns.budgets.$get({ param: { workspaceId: ws } })),
  });

export const modelsQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.models(ws),
    queryFn: () => ask(ofRuns.models.$get({ param: { workspaceId: ws } })),
  });

export type Model = Awaited<
  ReturnType<NonNullable<ReturnType<typeof modelsQuery>['queryFn']>>
>['items'][number];

/** Sets what a target may spend, or takes its cap away. @throws ApiProblem */
export async function setCap(workspaceId: string, target: string, capMicros: number | null): Promise<void> {
  await ask(ofRuns.budgets[':target'].$put({ param: { workspaceId, target }, json: { capMicros } }));
  await queryClient.invalidateQueries({ queryKey: budgetsKey(workspaceId) });
}

/** Calls of one moment are looked at together. */
const SETTLE_MS = 1_000;

/**
 * Budgets of the workspace, kept true while the screen is up: no event tells of a call that was paid for, but what agents are
 * about changes with each of them.
 */
export function useBudgets(ws: string) {
  const items = usePresence((state) => state.items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when what agents are about has changed
  useEffect(() => {
    const timer = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: budgetsKey(ws) }),
      SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [ws, items]);
  useEffect(
    () =>
      onWorkspaceEvent(({ type }) => {
        if (type === 'budget.set') void queryClient.invalidateQueries({ queryKey: budgetsKey(ws) });
      }),
    [ws],
  );
  return useQuery(budgetsQuery(ws));
}

/** What may be changed of an agent, as the server takes it. */
export interface AgentFields {
  name: string;
  title: string;
  persona: string;
  systemPrompt: string | null;
  skills: string[];
  adapterId: string | null;
  modelId: string | null;
  effort: string | null;
  contextSize: number | null;
  silenceTimeoutMinutes: number | null;
  maxTurns: number | null;
  reportsTo: string | null;
}

/** @param change is refused unless `version` is the present one. @throws ApiProblem */
export async function changeAgent(
  workspaceId: string,
  id: string,
  change: Partial<AgentFields> & { version: number },
) {
  const agent = await ask(ofSpaces.agents[':id'].$patch({ param: { workspaceId, id }, json: change }));
  await queryClient.invalidateQueries({ queryKey: keys.agents(workspaceId) });
  return agent;
}

/** @param key made once for the intention, so that it can be sent twice. @throws ApiProblem */
export async function hireAgent(workspaceId: string, fields: Partial<AgentFields>, key: string) {
  const { name = '', title = '', ...rest } = fields;
  const json = { ...rest, name, title, key };
  const agent = await ask(ofSpaces.agents.$post({ param: { workspaceId }, json }));
  await queryClient.invalidateQueries({ queryKey: keys.agents(workspaceId) });
  return agent;
}
