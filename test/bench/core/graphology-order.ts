import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import type { GraphNode, Ordering } from '../../../core-wasm/core.ts';

function generations(nodes: readonly GraphNode[]): string[][] {
  const graph = new DirectedGraph();
  for (const { key } of nodes) graph.addNode(key);
  for (const { key, needs } of nodes) for (const need of needs) graph.addEdge(need, key);
  return topologicalGenerations(graph);
}

/** The order of a sound graph, by the library's generations. */
export function graphologyOrder(nodes: readonly GraphNode[]): Ordering {
  const waves = generations(nodes);
  return { ok: true, order: waves.flatMap((keys) => keys.sort()), waves: waves.length };
}

/** Each key's wave, by the library's generations. */
export function graphologyWaves(nodes: readonly GraphNode[]): Map<string, number> {
  return new Map(generations(nodes).flatMap((keys, wave) => keys.map((key) => [key, wave] as const)));
}
