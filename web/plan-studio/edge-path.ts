import type { Flow, Layout, Point, Size } from './layout/layout.ts';

const ARROW_LENGTH = 7;
const ARROW_HALF = 3.5;

export type Box = Point & Size;

/** Where dependencies leave a node. */
export const outPort = ({ x, y, width, height }: Box, flow: Flow): Point =>
  flow === 'LR' ? { x: x + width, y: y + height / 2 } : { x: x + width / 2, y: y + height };

/** Where they arrive. */
const inPort = ({ x, y, width, height }: Box, flow: Flow): Point =>
  flow === 'LR' ? { x, y: y + height / 2 } : { x: x + width / 2, y };

export const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** Path data from one node to another through its bends: curves between layers, straight through them. */
export function edgePath(from: Box, to: Box, { flow, bends }: Layout, id: string): string {
  const start = outPort(from, flow);
  const end = arrowBase(inPort(to, flow), flow);
  const stops = [...(bends.get(id) ?? []), end];
  let path = `M${start.x} ${start.y}`;
  let last = start;
  stops.forEach((stop, i) => {
    // Points come in pairs: curve to where a layer begins, straight to where it ends.
    path += i % 2 === 0 ? curve(last, stop, flow) : `L${stop.x} ${stop.y}`;
    last = stop;
  });
  return path;
}

/** A curve that leaves and arrives along the flow. */
export function curve(from: Point, to: Point, flow: Flow): string {
  const x = (from.x + to.x) / 2;
  const y = (from.y + to.y) / 2;
  return flow === 'LR'
    ? `C${x} ${from.y} ${x} ${to.y} ${to.x} ${to.y}`
    : `C${from.x} ${y} ${to.x} ${y} ${to.x} ${to.y}`;
}

const arrowBase = ({ x, y }: Point, flow: Flow): Point =>
  flow === 'LR' ? { x: x - ARROW_LENGTH, y } : { x, y: y - ARROW_LENGTH };

/** A filled head that ends at the node. */
export function arrowHead(to: Box, flow: Flow): string {
  const { x, y } = inPort(to, flow);
  return flow === 'LR'
    ? `M${x} ${y}l${-ARROW_LENGTH} ${-ARROW_HALF}v${2 * ARROW_HALF}z`
    : `M${x} ${y}l${-ARROW_HALF} ${-ARROW_LENGTH}h${2 * ARROW_HALF}z`;
}

/** The point in the middle of a dependency's way. */
export function edgeMiddle(from: Box, to: Box, { flow, bends }: Layout, id: string): Point {
  const stops = [outPort(from, flow), ...(bends.get(id) ?? []), inPort(to, flow)];
  const [a, b] = [stops[(stops.length >> 1) - 1]!, stops[stops.length >> 1]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
