import type { Proposal } from '../../core-wasm/core.ts';
import { rebased } from './conflict-merge.ts';
import type { Draft } from './draft.ts';

type Step = { proposal?: Proposal };

/**
 * Lets undo and redo go on over a newer revision: each step keeps what I did in it and has of everything else what the others
 * made of it. Steps that are none any more are left out.
 */
export function rebaseHistory(draft: Draft, base: Proposal, theirs: Proposal): void {
  const { proposal: present } = draft.getState();
  const { pastStates, futureStates } = draft.temporal.getState();
  draft.temporal.setState({
    pastStates: stepsTo(present, pastStates, base, theirs),
    futureStates: stepsTo(present, futureStates, base, theirs),
  });
}

/** The steps anew, the one next to the present last. */
function stepsTo(present: Proposal, steps: readonly Step[], base: Proposal, theirs: Proposal): Step[] {
  let next = JSON.stringify(present);
  const kept: Step[] = [];
  for (const { proposal } of steps.toReversed()) {
    if (!proposal) continue;
    const step = rebased(base, proposal, theirs);
    const json = JSON.stringify(step);
    if (json !== next) kept.unshift({ proposal: step });
    next = json;
  }
  return kept;
}
