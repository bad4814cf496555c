import type { CanvasModel } from '../canvas-model.ts';
import { criticalEdges, drawnEdges } from '../edge-model.ts';
import { planGraph } from '../graph.ts';
import { layoutPlan } from '../layout/layout.ts';
import type { PlanNode } from '../plan-view.ts';

const SIZE = { width: 200, height: 60 };

/** The model of a plan as the canvas makes it, all nodes of one size. */
export function modelOf(nodes: readonly PlanNode[], criticalPath: readonly string[] = []): CanvasModel {
  const graph = planGraph(nodes);
  const edges = drawnEdges(nodes, graph);
  const sized = nodes.map(({ key }) => ({ key, ...SIZE }));
  const gaps = { layerGap: { LR: 60, TB: 40 }, nodeGap: { LR: 16, TB: 16 } };
  const layout = layoutPlan(
    sized,
    edges.map(({ from, to }) => [from, to] as const),
    gaps,
  )('LR');
  return {
    ...{ graph, edges, layout },
    nodes: new Map(nodes.map((node) => [node.key, node])),
    boxes: new Map(sized.map(({ key }) => [key, { ...layout.positions.get(key)!, ...SIZE }])),
    critical: criticalEdges(graph, criticalPath),
    criticalKeys: new Set(criticalPath),
  };
}
