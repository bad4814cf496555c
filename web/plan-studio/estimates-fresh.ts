import { useEffect } from 'react';
import { keys, queryClient } from '../api/queries.ts';
import { onWorkspaceEvent, type WorkspaceEvent } from '../live/workspace-feed.ts';
import { atPace } from './estimates-pace.ts';
import type { PlanDesk } from './plan-screen-context.ts';

/** Between two looks at the history, however many runs end. */
const PACE_MS = 10_000;

/** Has the estimate of a plan that is not decided yet follow the runs that its agents complete meanwhile. */
export function useFreshEstimate({
  ws,
  detail: { id, status },
  basis,
}: Pick<PlanDesk, 'ws' | 'detail' | 'basis'>) {
  const agents = Object.values(basis?.roles ?? {}).flatMap(({ agentId }) => agentId ?? []);
  const wanted = status === 'proposed' ? [...new Set(agents)].toSorted().join() : '';
  useEffect(() => {
    if (wanted === '') return;
    const paced = atPace(() => {
      for (const queryKey of [keys.estimateBasis(ws, id), keys.orchestration(ws, id)])
        void queryClient.invalidateQueries({ queryKey, exact: true });
    }, PACE_MS);
    const stop = onWorkspaceEvent((event) => {
      if (growsHistoryOf(event, wanted.split(','))) paced.ask();
    });
    return () => {
      stop();
      paced.stop();
    };
  }, [ws, id, wanted]);
}

const growsHistoryOf = ({ type, data }: WorkspaceEvent, agentIds: readonly string[]): boolean =>
  type === 'run.ended' && data.status === 'completed' && agentIds.includes(String(data.agentId));
