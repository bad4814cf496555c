import { useMemo, useRef, useState } from 'react';
import type { CanvasModel } from './canvas-model.ts';
import { gapsOf, rootPixels, sizeOf } from './canvas-sizes.ts';
import { betterFlow } from './canvas-viewport.ts';
import { asEdge, criticalEdges, drawnEdges } from './edge-model.ts';
import { planGraph } from './graph.ts';
import { type Flow, type Layout, layoutPlan, type Size } from './layout/layout.ts';
import type { PlanNode, PlanView } from './plan-view.ts';

/**
 * The model of a view. Titles, estimates and states come and go without a new layout; only other steps or other dependencies
 * make one, from the one before, and the flow stays as it was first chosen for the box.
 */
export function usePlanModel(
  view: PlanView,
  box: Size,
): { model: CanvasModel; chooseFlow(flow: Flow): void } {
  const [chosenFlow, chooseFlow] = useState<Flow | null>(null);
  const last = useRef<Layout | null>(null);
  const [rem] = useState(rootPixels);
  const structure = useStructure(view.nodes);
  const graph = useMemo(() => planGraph(structure), [structure]);
  const edges = useMemo(() => drawnEdges(structure, graph), [structure, graph]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size of the box is no reason to turn a plan around
  const drawn = useMemo(() => {
    const sized = structure.map(({ key, kind }) => ({ key, ...sizeOf(kind, rem) }));
    const options = { ...gapsOf(rem), previous: last.current };
    const layoutOf = layoutPlan(sized, edges.map(asEdge), options);
    const flow = chosenFlow ?? last.current?.flow;
    const layout = flow ? layoutOf(flow) : betterFlow(layoutOf, box);
    last.current = layout;
    const boxes = new Map(
      sized.map(({ key, width, height }) => [key, { ...layout.positions.get(key)!, width, height }]),
    );
    return { layout, boxes };
  }, [structure, edges, rem, chosenFlow]);
  const path = view.criticalPath.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path by what it says
  const critical = useMemo(
    () => ({ critical: criticalEdges(graph, view.criticalPath), criticalKeys: new Set(view.criticalPath) }),
    [graph, path],
  );
  const nodes = useMemo(() => new Map(view.nodes.map((node) => [node.key, node])), [view.nodes]);
  const model = useMemo(
    () => ({ graph, nodes, edges, ...drawn, ...critical }),
    [graph, nodes, edges, drawn, critical],
  );
  return { model, chooseFlow };
}

/** The nodes as they were when the steps or what they need last changed. */
function useStructure(nodes: readonly PlanNode[]): readonly PlanNode[] {
  const held = useRef(nodes);
  if (!isSameStructure(held.current, nodes)) held.current = nodes;
  return held.current;
}

function isSameStructure(a: readonly PlanNode[], b: readonly PlanNode[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((node, i) => isSameStep(node, b[i]!));
}

const isSameStep = (a: PlanNode, b: PlanNode): boolean =>
  a.key === b.key &&
  a.kind === b.kind &&
  a.needs.length === b.needs.length &&
  a.needs.every((need, i) => need === b.needs[i] && a.needChanges?.[need] === b.needChanges?.[need]);
