import { DirectedGraph } from 'graphology';
import type { PlanNode } from './plan-view.ts';

/** An edge runs from what is done first to what needs it. */
export type PlanGraph = DirectedGraph;

/** Name of a dependency. Keys hold no `>`. */
export const edgeId = (from: string, to: string): string => `${from}>${to}`;

/** The one model of a plan behind canvas, guard, outline and layout. A need that names no node is left out. */
export function planGraph(nodes: readonly Pick<PlanNode, 'key' | 'needs'>[]): PlanGraph {
  const graph = new DirectedGraph({ allowSelfLoops: false });
  for (const { key } of nodes) graph.mergeNode(key);
  for (const { key, needs } of nodes)
    for (const need of needs) if (need !== key && graph.hasNode(need)) graph.mergeDirectedEdge(need, key);
  return graph;
}

/** Keys such that each comes after all that it needs; null when the graph has a cycle. */
export function topologicalOrder(graph: PlanGraph): string[] | null {
  const waiting = new Map<string, number>();
  const order: string[] = [];
  graph.forEachNode((key) => {
    const needs = graph.inDegree(key);
    waiting.set(key, needs);
    if (needs === 0) order.push(key);
  });
  for (let at = 0; at < order.length; at++)
    graph.forEachOutNeighbor(order[at]!, (next) => {
      const left = waiting.get(next)! - 1;
      waiting.set(next, left);
      if (left === 0) order.push(next);
    });
  return order.length === graph.order ? order : null;
}
