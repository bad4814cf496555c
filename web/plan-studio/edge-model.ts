import { edgeId, type PlanGraph, planGraph } from './graph.ts';
import type { Edge } from './layout/skeleton.ts';
import type { PlanNode } from './plan-view.ts';
import { redundantEdges, shortestPath } from './reach.ts';

export type EdgeLook = 'plain' | 'critical' | 'redundant' | 'added' | 'removed';

/** A dependency that is drawn. */
export interface DrawnEdge {
  id: string;
  from: string;
  to: string;
  look: EdgeLook;
  /** Between two tickets: a person can take it out. The others follow from the plan's structure. */
  isWritten: boolean;
}

/**
 * The dependencies that are drawn. What structure implies (each ticket to the collecting step, though others come between) is
 * left out; what a person wrote and could leave out is drawn faint. In the order of their weight for the layout: those that
 * the newer revision does not have come last.
 */
export function drawnEdges(nodes: readonly PlanNode[], graph: PlanGraph): DrawnEdge[] {
  const tickets = nodes.filter(({ kind }) => kind === 'ticket');
  const isTicket = new Set(tickets.map(({ key }) => key));
  const written = redundantEdges(planGraph(tickets));
  const implied = redundantEdges(graph);
  const edges = nodes.flatMap(({ key: to, needs, needChanges }) =>
    needs.flatMap((from): DrawnEdge[] => {
      const id = edgeId(from, to);
      const change = needChanges?.[from];
      if (!graph.hasDirectedEdge(from, to)) return [];
      if (!change && implied.has(id) && !written.has(id)) return [];
      const isWritten = isTicket.has(from) && isTicket.has(to);
      return [{ id, from, to, isWritten, look: change ?? (written.has(id) ? 'redundant' : 'plain') }];
    }),
  );
  return [
    ...edges.filter(({ look }) => look !== 'removed'),
    ...edges.filter(({ look }) => look === 'removed'),
  ];
}

/** Dependencies along the longest path; where a step without work stands between two of its nodes, through that. */
export function criticalEdges(graph: PlanGraph, path: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (let i = 1; i < path.length; i++) {
    const [from, to] = [path[i - 1]!, path[i]!];
    if (!graph.hasNode(from) || !graph.hasNode(to)) continue;
    const way = graph.hasDirectedEdge(from, to) ? [from, to] : (shortestPath(graph, from, to) ?? []);
    for (let k = 1; k < way.length; k++) ids.add(edgeId(way[k - 1]!, way[k]!));
  }
  return ids;
}

export const asEdge = ({ from, to }: DrawnEdge): Edge => [from, to];
