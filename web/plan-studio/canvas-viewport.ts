import type { CanvasModel } from './canvas-model.ts';
import { middleOf } from './edge-path.ts';
import type { Flow, Layout, Point, Size } from './layout/layout.ts';

export interface Viewport extends Point {
  zoom: number;
}

export const ZOOM_LEAST = 0.03;
export const ZOOM_MOST = 1.75;
/** Below this a plan is opened at its beginning instead of as a whole. */
const ZOOM_READABLE = 0.4;
/** Room around the plan; the tools stand below. */
const MARGIN = { x: [32, 32], y: [24, 68] } as const;
/** Left to right reads better, so the other way has to show this much more. */
const BETTER = 1.05;

type Margin = readonly [before: number, after: number];
const room = (length: number, [before, after]: Margin): number => length - before - after;

const fitting = (layout: Size, box: Size): number =>
  Math.min(1, room(box.width, MARGIN.x) / layout.width, room(box.height, MARGIN.y) / layout.height);

/** The flow that shows the plan larger in the box it has. */
export function betterFlow(layoutOf: (flow: Flow) => Layout, box: Size): Layout {
  const [across, down] = [layoutOf('LR'), layoutOf('TB')];
  return fitting(down, box) > fitting(across, box) * BETTER ? down : across;
}

/** The plan as a whole where that can be read, else its beginning, or the node that is selected. */
export function firstViewOf(
  { layout, boxes, nodes }: Pick<CanvasModel, 'layout' | 'boxes' | 'nodes'>,
  box: Size,
  selectedKey: string | null,
): Viewport {
  const first = boxes.get(selectedKey ?? '') ?? boxes.get(nodes.keys().next().value ?? '');
  return viewOf(layout, box, first ? middleOf(first) : layout, ZOOM_READABLE);
}

/**
 * The view of a whole plan, no smaller than `least`: of what then has no room, the part around `anchor` (a point of the plan).
 */
export function viewOf(layout: Layout, box: Size, anchor: Point, least: number): Viewport {
  return viewAt(layout, box, anchor, Math.max(least, Math.min(1, fitting(layout, box))));
}

/** The view at a zoom around a point of the plan, moved so that no room is given away beside the plan. */
function viewAt(layout: Layout, box: Size, anchor: Point, zoom: number): Viewport {
  return {
    x: shift(layout.x, layout.width, box.width, MARGIN.x, anchor.x, zoom),
    y: shift(layout.y, layout.height, box.height, MARGIN.y, anchor.y, zoom),
    zoom,
  };
}

function shift(
  start: number,
  length: number,
  boxLength: number,
  margin: Margin,
  anchor: number,
  zoom: number,
): number {
  const [before, after] = margin;
  const free = room(boxLength, margin) - length * zoom;
  if (free >= 0) return before + free / 2 - start * zoom;
  const last = boxLength - after - (start + length) * zoom;
  return Math.max(last, Math.min(before - start * zoom, boxLength / 2 - anchor * zoom));
}

/** The view after its box took another size: what was in the middle still is. */
export function viewResized({ x, y, zoom }: Viewport, before: Size, after: Size): Viewport {
  return { x: x + (after.width - before.width) / 2, y: y + (after.height - before.height) / 2, zoom };
}

/** The view moved no further than it has to be for a node to be in it; null when it is already. */
export function viewWith(view: Viewport, node: Point & Size, box: Size): Viewport | null {
  const x = view.x + nudge(view.x + node.x * view.zoom, node.width * view.zoom, box.width, MARGIN.x);
  const y = view.y + nudge(view.y + node.y * view.zoom, node.height * view.zoom, box.height, MARGIN.y);
  return x === view.x && y === view.y ? null : { x, y, zoom: view.zoom };
}

function nudge(start: number, length: number, boxLength: number, [before, after]: Margin): number {
  if (start < before) return before - start;
  const over = start + length - (boxLength - after);
  return over > 0 ? -Math.min(over, start - before) : 0;
}

/** The view around a point at its zoom, or a readable one. */
export function viewAround({ zoom }: Pick<Viewport, 'zoom'>, at: Point, layout: Layout, box: Size): Viewport {
  return viewAt(layout, box, at, Math.max(zoom, 0.75));
}
