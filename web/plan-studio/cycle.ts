import type { PlanGraph } from './graph.ts';
import type { PlanNode } from './plan-view.ts';
import { reach, shortestPath } from './reach.ts';

/** Why one node cannot be made to need another. `path` leads from the one that would need to the one needed. */
export type Refusal =
  | { reason: 'self' | 'duplicate' | 'structural' | 'read-only' }
  | { reason: 'cycle'; path: readonly string[] };

export type NodesByKey = ReadonlyMap<string, PlanNode>;

/** Why `to` may not be made to need `from`, or null. Linear in the plan, so it can be asked at every move of a pointer. */
export function connectProblem(
  graph: PlanGraph,
  nodes: NodesByKey,
  from: string,
  to: string,
): Refusal | null {
  if (from === to) return { reason: 'self' };
  if (nodes.get(from)?.kind !== 'ticket' || nodes.get(to)?.kind !== 'ticket') return { reason: 'structural' };
  if (nodes.get(to)?.isReadOnly) return { reason: 'read-only' };
  if (graph.hasDirectedEdge(from, to)) return { reason: 'duplicate' };
  const path = shortestPath(graph, to, from);
  return path && { reason: 'cycle', path };
}

/** Keys of all nodes that cannot be made to need `from`. */
export function refusedTargets(graph: PlanGraph, nodes: NodesByKey, from: string): Set<string> {
  const refused = reach(graph, from, 'up');
  for (const key of graph.outNeighbors(from)) refused.add(key);
  for (const [key, { kind, isReadOnly }] of nodes) if (kind !== 'ticket' || isReadOnly) refused.add(key);
  return refused;
}
