import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Proposal } from '../../core-wasm/core.ts';
import type { EstimateBasis } from '../../services/orchestration/orchestrations/estimate-basis.ts';
import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import type { Revision } from '../../services/orchestration/orchestrations/schema.ts';
import { ask, orchestration } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { notifyFailure } from '../ui/notices.tsx';
import { loadCore } from './estimates.ts';

const api = orchestration.api.workspaces[':workspaceId'].orchestrations;

const at = (ws: string, id: string) => ({ param: { workspaceId: ws, id } });

/** Bodies are read as the service declares them: the client's own types lose schemas of unknown depth. */
export const plans = {
  detail: (ws: string, id: string) =>
    ask(api[':id'].$get(at(ws, id))) as unknown as Promise<OrchestrationDetail>,
  basis: (ws: string, id: string) =>
    ask(api[':id']['estimate-basis'].$get(at(ws, id))) as unknown as Promise<EstimateBasis>,
  async revisions(ws: string, id: string): Promise<Revision[]> {
    const { items } = await ask(api[':id'].revisions.$get(at(ws, id)));
    return items as unknown as Revision[];
  },
  revise: (ws: string, id: string, json: { baseRevision: number; proposal: Proposal; key: string }) =>
    ask(api[':id'].revisions.$post({ ...at(ws, id), json })),
  rollBack: (ws: string, id: string, json: { baseRevision: number; to: number; key: string }) =>
    ask(api[':id'].rollback.$post({ ...at(ws, id), json })),
  approve: (ws: string, id: string, json: { revision: number; tickets?: string[] }) =>
    ask(api[':id'].approve.$post({ ...at(ws, id), json })),
  approveDeferred: (ws: string, id: string, tickets: string[]) =>
    ask(api[':id']['approve-deferred'].$post({ ...at(ws, id), json: { tickets } })),
  requestChanges: (ws: string, id: string, json: { reason: string; revision: number }) =>
    ask(api[':id']['request-changes'].$post({ ...at(ws, id), json })),
  cancel: (ws: string, id: string) => ask(api[':id'].cancel.$post(at(ws, id))),
  retryStep: (ws: string, id: string, key: string) =>
    ask(api[':id'].steps[':key{.+}'].retry.$post({ param: { workspaceId: ws, id, key } })),
  skipStep: (ws: string, id: string, key: string) =>
    ask(api[':id'].steps[':key{.+}'].skip.$post({ param: { workspaceId: ws, id, key } })),
  raiseBudget: (ws: string, id: string, capMicros: number) =>
    ask(api[':id'].budget.$post({ ...at(ws, id), json: { capMicros } })),
};

export const usePlan = (ws: string, id: string) =>
  useQuery({ queryKey: keys.orchestration(ws, id), queryFn: () => plans.detail(ws, id) });

export const useBasis = (ws: string, id: string) =>
  useQuery({ queryKey: keys.estimateBasis(ws, id), queryFn: () => plans.basis(ws, id) });

export const useRevisions = (ws: string, id: string, enabled: boolean) =>
  useQuery({ queryKey: keys.revisions(ws, id), queryFn: () => plans.revisions(ws, id), enabled });

/** The core never changes while the page is open. */
export const useCore = () => useQuery({ queryKey: ['core'], queryFn: loadCore });

/** A decision about the plan. What it changed is read again at once: whoever decided does not wait for the event. */
export function usePlanAction<T>(ws: string, id: string, run: (input: T) => Promise<unknown>) {
  const running = useRef<Promise<unknown> | null>(null);
  return useMutation({
    // A second click can come before the button shows that it is pressed.
    mutationFn: (input: T) => {
      running.current ??= run(input).finally(() => {
        running.current = null;
      });
      return running.current;
    },
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.orchestration(ws, id) }),
  });
}
