import type { NodesByKey } from './cycle.ts';
import type { DrawnEdge } from './edge-model.ts';
import type { Box } from './edge-path.ts';
import type { PlanGraph } from './graph.ts';
import type { Layout } from './layout/layout.ts';

/** All that the canvas knows of the plan it shows. */
export interface CanvasModel {
  graph: PlanGraph;
  nodes: NodesByKey;
  layout: Layout;
  /** Place and size of each node. */
  boxes: ReadonlyMap<string, Box>;
  edges: readonly DrawnEdge[];
  /** Ids of the dependencies along the longest path. */
  critical: ReadonlySet<string>;
  /** Keys of the nodes on it. */
  criticalKeys: ReadonlySet<string>;
}
