import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import type { GraphNode, Ordering } from '../../../core-wasm/core.ts';

/** The order of a sound graph, by the library's generations. */
export function graphologyOrder(nodes: readonly GraphNode[]): Ordering {
  const graph = new DirectedGraph();
  for (const { key } of nodes) graph.addNode(key);
  for (const { key, needs } of nodes) for (const need of needs) graph.addEdge(need, key);
  const generations = topologicalGenerations(graph);
  return { ok: true, order: generations.flatMap((keys) => keys.sort()), waves: generations.length };
}
