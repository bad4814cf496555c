import type { Node } from '@xyflow/react';
import type { CanvasModel } from './canvas-model.ts';
import type { PlanNode } from './plan-view.ts';

export type FlowNode = Node<{ node: PlanNode; isCritical: boolean }, 'step'>;

/** Without a role of its own the element must not have a description of one. */
const DOM = { 'aria-roledescription': undefined } as const;
const NO_HANDLES: NonNullable<FlowNode['handles']> = [];

/**
 * React Flow's nodes of a model. One that says and stands as before is the same object, so that it is not drawn again.
 * Sizes and (empty) handles are given, so that nothing is measured and only what is in view is mounted. The nodes of `kept`
 * stay mounted out of view as well: React Flow does that for what is dragged, and the focus must not be lost.
 */
export function flowNodes(
  model: CanvasModel,
  kept: ReadonlySet<string>,
  before: ReadonlyMap<string, FlowNode>,
): FlowNode[] {
  return [...model.nodes.values()].map((node) => {
    const fresh = flowNode(model, node, kept.has(node.key));
    const old = before.get(node.key);
    return old && isSame(old, fresh) ? old : fresh;
  });
}

function flowNode({ boxes, criticalKeys }: CanvasModel, node: PlanNode, dragging: boolean): FlowNode {
  const { x, y, width, height } = boxes.get(node.key)!;
  return {
    id: node.key,
    type: 'step',
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: NO_HANDLES,
    domAttributes: DOM,
    dragging,
    data: { node, isCritical: criticalKeys.has(node.key) },
  };
}

const isSame = (a: FlowNode, b: FlowNode): boolean =>
  a.position.x === b.position.x &&
  a.position.y === b.position.y &&
  a.width === b.width &&
  a.height === b.height &&
  a.dragging === b.dragging &&
  a.data.isCritical === b.data.isCritical &&
  saysSame(a.data.node, b.data.node);

function saysSame(a: PlanNode, b: PlanNode): boolean {
  return (
    a === b ||
    (a.title === b.title &&
      a.kind === b.kind &&
      a.role === b.role &&
      a.roleTitle === b.roleTitle &&
      a.isReadOnly === b.isReadOnly &&
      a.status === b.status &&
      a.statusNote === b.statusNote &&
      a.isDeferred === b.isDeferred &&
      a.change === b.change &&
      a.needs.length === b.needs.length &&
      JSON.stringify(a.estimate) === JSON.stringify(b.estimate))
  );
}
