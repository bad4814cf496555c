import { useMemo, useRef } from 'react';
import type { Proposal } from '../../core-wasm/core.ts';
import { texts, useText } from '../i18n/text.ts';
import { keepNodes, type StructuralTitles, viewOf } from './draft-view.ts';
import { useDesk, useEstimate, useProposal } from './plan-screen-context.ts';
import { useRevisions } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import type { PlanNode, PlanView } from './plan-view.ts';
import { isSameNode } from './revisions-compare.ts';
import { useStandingNote } from './standing-note.ts';
import { unionOf } from './union.ts';

const words = texts(
  {
    research: 'Research',
    position: (role: string) => `${role}’s position`,
    synthesis: 'Synthesis',
  },
  {
    research: 'Recherche',
    position: (role: string) => `Avis : ${role}`,
    synthesis: 'Synthèse',
  },
);

export const useStructuralTitles = (): StructuralTitles => useText(words);

/** The proposal of an older revision that the URL names; null for the present one, or while it is on its way. */
export function useRevision(revision: number | null): Proposal | null {
  const { ws, detail } = useDesk();
  const revisions = useRevisions(ws, detail.id, revision !== null);
  return revisions.data?.find((one) => one.revision === revision)?.proposal ?? null;
}

/** What the canvas and the outline show. */
export function useShownView(isEditable: boolean): PlanView {
  const { ws, detail } = useDesk();
  const { rev, diff } = usePlanUrl();
  const noteOf = useStandingNote(ws);
  const titles = useStructuralTitles();
  const older = useRevision(rev);
  const from = useRevision(diff?.from ?? null);
  const to = useRevision(diff?.to ?? null);
  const present = useProposal();
  const proposal = to ?? older ?? present;
  const estimate = useEstimate(proposal);
  const isPresent = proposal === present;
  const view = useMemo(
    () =>
      viewOf(proposal, {
        ...{ estimate, titles, isEditable, noteOf },
        steps: isPresent ? detail.steps : [],
        deferred: isPresent ? detail.deferred : [],
      }),
    [proposal, estimate, titles, isEditable, noteOf, isPresent, detail.steps, detail.deferred],
  );
  const kept = useRef<readonly PlanNode[]>([]);
  return useMemo(() => {
    const nodes = from && to ? compared(from, to, view, titles) : view.nodes;
    kept.current = keepNodes(kept.current, nodes);
    return { ...view, nodes: kept.current };
  }, [from, to, view, titles]);
}

function compared(from: Proposal, to: Proposal, view: PlanView, titles: StructuralTitles): PlanNode[] {
  const before = viewOf(from, { estimate: null, titles, isEditable: false, steps: [], deferred: [] });
  return unionOf(before.nodes, view.nodes, isSameNode(from, to));
}
