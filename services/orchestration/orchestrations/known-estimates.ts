import {
  type Estimate,
  estimate,
  estimateNodes,
  type Proposal,
  type RoleHistory,
} from '../../../core-wasm/core.ts';

/** Estimates that are kept: of every plan that is open somewhere the last one, and a few more. */
const KEPT = 32;
const known = new Map<string, Estimate>();

/** The estimate of a proposal; computed once for the same nodes and histories, however often it is looked at. */
export function knownEstimate(
  proposal: Proposal,
  histories: Readonly<Record<string, RoleHistory>>,
): Estimate {
  const nodes = estimateNodes(proposal);
  const key = JSON.stringify([nodes, histories]);
  const found = known.get(key) ?? estimate(nodes, histories);
  known.delete(key);
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return found;
}
