import { orderLayers } from './order.ts';
import { pictureOf } from './picture.ts';
import { type Edge, skeletonOf } from './skeleton.ts';

/** Left to right or top to bottom. */
export type Flow = 'LR' | 'TB';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface LayoutNode extends Size {
  key: string;
}

export interface Layout extends Point, Size {
  flow: Flow;
  /** Upper left corners by key. */
  positions: ReadonlyMap<string, Point>;
  /** Of each dependency, by id, the stretches on which it passes a layer: points in pairs, none between neighbouring layers. */
  bends: ReadonlyMap<string, readonly Point[]>;
  layerOf: ReadonlyMap<string, number>;
  /** Centres across the layers, of nodes and bends by name: the seed of the next layout. */
  centres: ReadonlyMap<string, number>;
}

export interface LayoutOptions {
  /** Room between layers and between neighbours of a layer. */
  layerGap: Record<Flow, number>;
  nodeGap: Record<Flow, number>;
  /** What was on the screen: an edit then moves as little as it can. */
  previous?: Layout | null;
}

/**
 * Layers, order and places of a plan; the order is found once, the places for the flow that is asked for. No two nodes
 * overlap, and the same input gives the same picture. Edges come in the order of their weight (see `skeletonOf`). All lengths
 * are in pixels.
 */
export function layoutPlan(
  nodes: readonly LayoutNode[],
  edges: readonly Edge[],
  options: LayoutOptions,
): (flow: Flow) => Layout {
  const keys = nodes.map(({ key }) => key);
  const skeleton = skeletonOf(keys, edges);
  orderLayers(skeleton, options.previous?.centres ?? null);
  return (flow) => pictureOf(skeleton, nodes, flow, options);
}
