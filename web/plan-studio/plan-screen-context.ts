import { createContext, useContext, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { Estimate, Proposal } from '../../core-wasm/core.ts';
import type { EstimateBasis } from '../../services/orchestration/orchestrations/estimate-basis.ts';
import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import { useMe } from '../shell/use-me.ts';
import type { DeskTools } from './desk-tools.ts';
import type { DraftState } from './draft.ts';
import { type Core, estimateOf, shapeOf } from './estimates.ts';

/** An opened plan: what the server says of it, the edits on it, and what works on them. */
export interface PlanDesk extends DeskTools {
  ws: string;
  detail: OrchestrationDetail;
  /** Null until it is known; estimates are then the server's own. */
  basis: EstimateBasis | null;
  core: Core;
}

const DeskContext = createContext<PlanDesk | null>(null);
export const DeskProvider = DeskContext.Provider;

export function useDesk(): PlanDesk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('used outside of an opened plan');
  return desk;
}

export function useDraft<T>(select: (state: DraftState) => T): T {
  return useStore(useDesk().draft, select);
}

/** Whether the plan can be edited: before approval, by who may, and while no newer revision stands against the edits. */
export function useIsEditable(): boolean {
  const isProposed = useDesk().detail.status === 'proposed';
  const mayChange = useMe().cannotChange === null;
  return useDraft(({ conflict }) => conflict === null) && isProposed && mayChange;
}

/** The proposal to work on: the draft, or what was approved. */
export function useProposal(): Proposal {
  const { detail } = useDesk();
  const drafted = useDraft(({ proposal }) => proposal);
  return detail.status === 'proposed' ? drafted : detail.proposal;
}

/** The estimate of a proposal by the server's own code, computed anew when its roles or dependencies change. */
export function useEstimate(proposal: Proposal): Estimate | null {
  const { core, basis, detail } = useDesk();
  const shape = useMemo(() => shapeOf(proposal), [proposal]);
  const latest = useRef(proposal);
  latest.current = proposal;
  return useMemo(() => {
    if (basis) return estimateOf(core, latest.current, basis.histories);
    return shape === shapeOf(detail.proposal) ? detail.estimate : null;
  }, [core, basis, detail, shape]);
}
