import type { Flow, Layout, Point, Size } from './layout/layout.ts';

export interface Viewport extends Point {
  zoom: number;
}

export const ZOOM_LEAST = 0.03;
export const ZOOM_MOST = 1.75;
/** Below this a plan is opened at its beginning instead of as a whole. */
export const ZOOM_READABLE = 0.4;
const PADDING = 32;
/** Left to right reads better, so the other way has to show this much more. */
const BETTER = 1.05;

const fitting = (layout: Size, box: Size): number =>
  Math.min(1, (box.width - 2 * PADDING) / layout.width, (box.height - 2 * PADDING) / layout.height);

/** The flow that shows the plan larger in the box it has. */
export function betterFlow(layoutOf: (flow: Flow) => Layout, box: Size): Layout {
  const [across, down] = [layoutOf('LR'), layoutOf('TB')];
  return fitting(down, box) > fitting(across, box) * BETTER ? down : across;
}

/**
 * The view of a whole plan, no smaller than `least`: of what then has no room, the part around `anchor` (a point of the plan).
 */
export function viewOf(layout: Layout, box: Size, anchor: Point, least: number): Viewport {
  const zoom = Math.max(least, Math.min(1, fitting(layout, box)));
  return {
    x: shift(layout.x, layout.width, box.width, anchor.x, zoom),
    y: shift(layout.y, layout.height, box.height, anchor.y, zoom),
    zoom,
  };
}

function shift(start: number, length: number, room: number, anchor: number, zoom: number): number {
  if (length * zoom <= room - 2 * PADDING) return (room - length * zoom) / 2 - start * zoom;
  const last = room - PADDING - (start + length) * zoom;
  return Math.max(last, Math.min(PADDING - start * zoom, room / 2 - anchor * zoom));
}

/** The view moved no further than it has to be for a node to be in it; null when it is already. */
export function viewWith(view: Viewport, node: Point & Size, box: Size): Viewport | null {
  const x = view.x + nudge(view.x + node.x * view.zoom, node.width * view.zoom, box.width);
  const y = view.y + nudge(view.y + node.y * view.zoom, node.height * view.zoom, box.height);
  return x === view.x && y === view.y ? null : { x, y, zoom: view.zoom };
}

function nudge(start: number, length: number, room: number): number {
  if (start < PADDING) return PADDING - start;
  const over = start + length - (room - PADDING);
  return over > 0 ? -Math.min(over, start - PADDING) : 0;
}

/** The view centred on a point at its zoom, or a readable one. */
export function viewAround({ zoom }: Viewport, at: Point, box: Size): Viewport {
  const readable = Math.max(zoom, 0.75);
  return { x: box.width / 2 - at.x * readable, y: box.height / 2 - at.y * readable, zoom: readable };
}
