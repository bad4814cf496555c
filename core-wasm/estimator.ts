import type { EstimateNode } from './estimate-graph.ts';
import type { EstimateOptions } from './estimate-options.ts';
import type { Estimate } from './estimate-result.ts';
import type { Histories } from './estimate-samples.ts';
import { LoadedGraph } from './loaded-graph.ts';
import { draftSteps, planSteps, sortedNeeds } from './materializer.ts';
import type { Proposal } from './proposal.ts';

/**
 * What a plan will cost and how long it will take, from the past runs of its roles: each node's p25–p75, their sum (cost)
 * and longest path (duration), and beside them the p25–p75 of the whole plan by a seeded bootstrap. What is not known is
 * null and counted, never guessed. Throws CYCLE with the whole path, BAD_ARGUMENT, BAD_SAMPLE.
 */
export function estimate(
  nodes: readonly EstimateNode[],
  histories: Histories,
  options?: EstimateOptions,
): Estimate {
  return new LoadedGraph(nodes, histories).estimate(options);
}

/** Indexes a graph for estimates after live edits. Throws BAD_ARGUMENT for a key used twice or a need that is no node. */
export const loadGraph = (nodes: readonly EstimateNode[]): LoadedGraph => new LoadedGraph(nodes);

/**
 * The steps of a proposal in which an agent works, in the order of its pipeline. Start, collect and deliver do no work and
 * are left out: counted as unknown they would make every plan read "at least". Throws as `materialize` does.
 */
export function estimateNodes(proposal: Proposal): EstimateNode[] {
  const drafts = draftSteps(proposal);
  const planned = planSteps(drafts);
  const ranks = new Map(planned.keys.map((key, rank) => [key, rank]));
  const working = (needs: readonly string[]): string[] =>
    needs.flatMap((key) => {
      if (key === 'start') return [];
      return key === 'collect' ? sortedNeeds(planned, ranks.get('collect')!) : [key];
    });
  return Array.from(planned.order).flatMap((rank) => {
    const { key, role } = drafts[planned.input[rank]!]!;
    return role === null ? [] : [{ key, role, needs: working(sortedNeeds(planned, rank)) }];
  });
}
