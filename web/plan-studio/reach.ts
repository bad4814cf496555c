import { edgeId, type PlanGraph, topologicalOrder } from './graph.ts';

export type Direction = 'up' | 'down';

const neighbours = (graph: PlanGraph, key: string, direction: Direction): string[] =>
  direction === 'down' ? graph.outNeighbors(key) : graph.inNeighbors(key);

/** All that depends on a node (`down`) or that it depends on (`up`), itself included. Linear: every node is seen once. */
export function reach(graph: PlanGraph, from: string, direction: Direction): Set<string> {
  const seen = new Set([from]);
  for (const key of seen) for (const next of neighbours(graph, key, direction)) seen.add(next);
  return seen;
}

/** Keys of a shortest way along dependencies, both ends included; null when there is none. */
export function shortestPath(graph: PlanGraph, from: string, to: string): string[] | null {
  const before = new Map<string, string | null>([[from, null]]);
  for (const [key] of before) {
    if (key === to) return wayBack(before, to);
    for (const next of graph.outNeighbors(key)) if (!before.has(next)) before.set(next, key);
  }
  return null;
}

function wayBack(before: ReadonlyMap<string, string | null>, to: string): string[] {
  const path: string[] = [];
  for (let key: string | null = to; key !== null; key = before.get(key) ?? null) path.push(key);
  return path.reverse();
}

/**
 * Dependencies (by `edgeId`) that a longer way implies: leaving them out changes nothing. Ancestors are rows of bits, so that
 * a plan of a thousand nodes takes a millisecond. Empty when the graph has a cycle, where the question has no one answer.
 */
export function redundantEdges(graph: PlanGraph): Set<string> {
  const redundant = new Set<string>();
  const order = topologicalOrder(graph);
  if (!order) return redundant;
  const rank = new Map(order.map((key, i) => [key, i]));
  const words = Math.ceil(order.length / 32);
  const ancestors = new Uint32Array(order.length * words);
  for (const [row, key] of order.entries()) {
    const needs = graph.inNeighbors(key).map((need) => rank.get(need)!);
    for (const need of needs)
      for (let word = 0; word < words; word++)
        ancestors[row * words + word]! |= ancestors[need * words + word]!;
    for (const need of needs)
      if (ancestors[row * words + (need >>> 5)]! & (1 << (need & 31)))
        redundant.add(edgeId(order[need]!, key));
    for (const need of needs) ancestors[row * words + (need >>> 5)]! |= 1 << (need & 31);
  }
  return redundant;
}
