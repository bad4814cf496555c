import type { Flow, Layout, LayoutNode, LayoutOptions, Point, Size } from './layout.ts';
import { placeAcross } from './place.ts';
import type { Skeleton } from './skeleton.ts';

const BEND_EXTENT = 2;
const BEND_GAP = 10;

/** Where a layer begins along the flow, and how much room its deepest node takes. */
interface Band {
  start: number;
  depth: number;
}

/** A skeleton with places in the plane. What was there before stays as near as the median of all moves allows. */
export function pictureOf(
  skeleton: Skeleton,
  nodes: readonly LayoutNode[],
  flow: Flow,
  { layerGap, nodeGap, previous }: LayoutOptions,
): Layout {
  const before = previous?.flow === flow ? previous : null;
  const isNode = (vertex: number) => vertex < skeleton.nodeCount;
  const extents = nodes.map((node) => acrossOf(node, flow));
  const spacing = {
    extentOf: (vertex: number) => extents[vertex] ?? BEND_EXTENT,
    gapBetween: (a: number, b: number) => (isNode(a) && isNode(b) ? nodeGap[flow] : BEND_GAP),
  };
  const centres = placeAcross(skeleton, spacing, before?.centres ?? null);
  const bands = bandsOf(skeleton, nodes, flow, layerGap[flow]);
  const corners = cornersOf(skeleton, nodes, flow, centres, bands);
  const move = medianMove(nodes, corners, before);
  const positions = nodes.map(({ key }, i) => [key, moved(corners[i]!, move)] as const);
  const across = flow === 'TB' ? move.x : move.y;
  return {
    flow,
    ...boundsOf(nodes, positions),
    positions: new Map(positions),
    bends: new Map(
      [...skeleton.bends].map(([id, chain]) => [
        id,
        chain.flatMap((bend) => stretch(skeleton, bend, flow, centres, bands)).map((at) => moved(at, move)),
      ]),
    ),
    layerOf: new Map(nodes.map(({ key }, i) => [key, skeleton.layerOf[i]!])),
    centres: new Map(skeleton.names.map((name, i) => [name, centres[i]! + across])),
  };
}

const acrossOf = ({ width, height }: Size, flow: Flow) => (flow === 'TB' ? width : height);
const alongOf = ({ width, height }: Size, flow: Flow) => (flow === 'TB' ? height : width);
const pointAt = (along: number, across: number, flow: Flow): Point =>
  flow === 'TB' ? { x: across, y: along } : { x: along, y: across };
const moved = ({ x, y }: Point, by: Point): Point => ({ x: Math.round(x + by.x), y: Math.round(y + by.y) });

function bandsOf({ layers }: Skeleton, nodes: readonly LayoutNode[], flow: Flow, gap: number): Band[] {
  let start = 0;
  return layers.map((layer) => {
    const depth = Math.max(...layer.map((vertex) => (nodes[vertex] ? alongOf(nodes[vertex], flow) : 0)));
    const band = { start, depth };
    start += depth + gap;
    return band;
  });
}

/** Upper left corners; a node stands in the middle of its layer's band. */
function cornersOf(
  { layerOf }: Skeleton,
  nodes: readonly LayoutNode[],
  flow: Flow,
  centres: Float64Array,
  bands: readonly Band[],
): Point[] {
  return nodes.map((node, i) => {
    const { start, depth } = bands[layerOf[i]!]!;
    const along = start + (depth - alongOf(node, flow)) / 2;
    return pointAt(along, centres[i]! - acrossOf(node, flow) / 2, flow);
  });
}

/** A line passes a layer straight through the whole depth of its band, so that it goes under no node. */
function stretch(
  { layerOf }: Skeleton,
  bend: number,
  flow: Flow,
  centres: Float64Array,
  bands: readonly Band[],
): Point[] {
  const { start, depth } = bands[layerOf[bend]!]!;
  return [start, start + depth].map((along) => pointAt(along, centres[bend]!, flow));
}

/** What to add so that most of what was on the screen stays where it was. */
function medianMove(nodes: readonly LayoutNode[], corners: readonly Point[], before: Layout | null): Point {
  const moves = nodes.flatMap(({ key }, i) => {
    const old = before?.positions.get(key);
    return old ? [{ x: old.x - corners[i]!.x, y: old.y - corners[i]!.y }] : [];
  });
  return { x: median(moves.map(({ x }) => x)), y: median(moves.map(({ y }) => y)) };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

function boundsOf(
  nodes: readonly LayoutNode[],
  positions: readonly (readonly [string, Point])[],
): Point & Size {
  const left = Math.min(...positions.map(([, { x }]) => x));
  const top = Math.min(...positions.map(([, { y }]) => y));
  const right = Math.max(...positions.map(([, { x }], i) => x + nodes[i]!.width));
  const bottom = Math.max(...positions.map(([, { y }], i) => y + nodes[i]!.height));
  if (nodes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}
