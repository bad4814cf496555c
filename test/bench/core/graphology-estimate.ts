import { DirectedGraph } from 'graphology';
import { topologicalSort } from 'graphology-dag';
import { quantile } from 'simple-statistics';
import type { Estimate, EstimateNode, NodeEstimate, Range, RoleHistory } from '../../../core-wasm/core.ts';

interface Attributes {
  role: string;
  at: number;
}

/** The graph as the library holds it: an edge goes from what is needed to what needs it. */
export function buildGraph(nodes: readonly EstimateNode[]): DirectedGraph<Attributes> {
  const graph = new DirectedGraph<Attributes>();
  nodes.forEach(({ key, role }, at) => {
    graph.addNode(key, { role: role!, at });
  });
  for (const { key, needs } of nodes) for (const need of needs) graph.addEdge(need, key);
  return graph;
}

function quartiles(samples: readonly number[]): Range {
  return { p25: quantile(samples as number[], 0.25), p75: quantile(samples as number[], 0.75) };
}

function rolesOf(histories: Readonly<Record<string, RoleHistory>>): Map<string, Omit<NodeEstimate, 'key'>> {
  return new Map(
    Object.entries(histories).map(([role, { costMicros, durationMs }]) => [
      role,
      { sampleSize: durationMs.length, costMicros: quartiles(costMicros), durationMs: quartiles(durationMs) },
    ]),
  );
}

function criticalPath(graph: DirectedGraph<Attributes>, finish: ReadonlyMap<string, Range>): string[] {
  const place = (key: string): number => graph.getNodeAttribute(key, 'at');
  const latest = (keys: readonly string[]): string | undefined =>
    keys.reduce<string | undefined>((best, key) => {
      if (best === undefined) return key;
      const later = finish.get(key)!.p75 - finish.get(best)!.p75;
      return later > 0 || (later === 0 && place(key) < place(best)) ? key : best;
    }, undefined);
  const path: string[] = [];
  for (let key = latest(graph.nodes()); key !== undefined; key = latest(graph.inNeighbors(key)))
    path.push(key);
  return path.reverse();
}

/** The estimate without simulation over a built graph, for plans in which every role has a history. */
export function estimateGraph(
  graph: DirectedGraph<Attributes>,
  histories: Readonly<Record<string, RoleHistory>>,
): Estimate {
  const roles = rolesOf(histories);
  const cost = { p25: 0, p75: 0 };
  const longest = { p25: 0, p75: 0 };
  const nodes = graph.mapNodes((key, { role }): NodeEstimate => ({ key, ...roles.get(role)! }));
  for (const { costMicros } of nodes) {
    cost.p25 += costMicros!.p25;
    cost.p75 += costMicros!.p75;
  }
  const finish = new Map<string, Range>();
  for (const key of topologicalSort(graph)) {
    const own = roles.get(graph.getNodeAttribute(key, 'role'))!.durationMs!;
    const start = { p25: 0, p75: 0 };
    graph.forEachInNeighbor(key, (need) => {
      start.p25 = Math.max(start.p25, finish.get(need)!.p25);
      start.p75 = Math.max(start.p75, finish.get(need)!.p75);
    });
    const end = { p25: start.p25 + own.p25, p75: start.p75 + own.p75 };
    finish.set(key, end);
    longest.p25 = Math.max(longest.p25, end.p25);
    longest.p75 = Math.max(longest.p75, end.p75);
  }
  return {
    nodes,
    cost: { sumOfQuartiles: cost, simulated: null, atLeast: false },
    duration: { longestPath: longest, simulated: null, atLeast: false },
    ...{
      knownNodes: nodes.length,
      unknownNodes: 0,
      criticalPath: criticalPath(graph, finish),
      draws: 0,
      seed: 0,
    },
  };
}
