import { DirectedGraph } from 'graphology';

/** What of an agent draws the chart. */
export interface OrgAgent {
  id: string;
  name: string;
  title: string;
  reportsTo: string | null;
}

/** Agents by id, with an edge from each superior to each who reports there. */
export type OrgGraph = DirectedGraph<OrgAgent>;

/** A superior who is not there is left out, so that nobody is lost. */
export function orgGraph(agents: readonly OrgAgent[]): OrgGraph {
  const graph: OrgGraph = new DirectedGraph({ allowSelfLoops: false });
  for (const agent of agents) graph.mergeNode(agent.id, agent);
  for (const { id, reportsTo } of agents)
    if (reportsTo !== null && reportsTo !== id && graph.hasNode(reportsTo))
      graph.mergeDirectedEdge(reportsTo, id);
  return graph;
}

export interface OrgNode {
  agent: OrgAgent;
  /** 1 for those who report to nobody. */
  level: number;
  reports: OrgNode[];
}

const byName = (a: OrgAgent, b: OrgAgent) =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;

/** The chart as trees, names in order; every agent is in it once, whatever the rows say. */
export function orgTrees(graph: OrgGraph): OrgNode[] {
  const seen = new Set<string>();
  const all = graph.mapNodes((_id, agent) => agent).sort(byName);
  const treeFrom = (agent: OrgAgent, level: number): OrgNode => {
    seen.add(agent.id);
    const below = graph
      .mapOutNeighbors(agent.id, (_id, report) => report)
      .filter(({ id }) => !seen.has(id))
      .sort(byName);
    // Marked before going down: in a circle nobody may be taken twice.
    for (const { id } of below) seen.add(id);
    return { agent, level, reports: below.map((report) => treeFrom(report, level + 1)) };
  };
  const roots = all.filter(({ id }) => graph.inDegree(id) === 0).map((agent) => treeFrom(agent, 1));
  // Whoever is left is in a circle, which the server refuses; drawn as if it began with the first of them.
  for (const agent of all) if (!seen.has(agent.id)) roots.push(treeFrom(agent, 1));
  return roots;
}

/** The trees in the order in which one reads them. */
export function inOrder(trees: readonly OrgNode[]): OrgNode[] {
  return trees.flatMap((node) => [node, ...inOrder(node.reports)]);
}

/**
 * Names along the circle that would close if `id` reported to `superior`, from `id` back to itself; null where none would.
 * Linear in the line of superiors, so that it can be asked at every move of a pointer.
 */
export function circleOf(graph: OrgGraph, id: string, superior: string): string[] | null {
  const nameOf = (one: string) => graph.getNodeAttribute(one, 'name');
  if (!graph.hasNode(id) || !graph.hasNode(superior)) return null;
  const path = [nameOf(id)];
  const seen = new Set<string>();
  for (let above: string | undefined = superior; above !== undefined && !seen.has(above); ) {
    path.push(nameOf(above));
    if (above === id) return path;
    seen.add(above);
    above = graph.inNeighbors(above)[0];
  }
  return null;
}
