import type { Skeleton } from './skeleton.ts';

const SWEEPS = 10;
/** Bends pull harder, so that long lines run straight. */
const BEND_WEIGHT = 3;
/** What is tied to nothing goes where there is room, and pushes nobody. */
const LOOSE_WEIGHT = 0.01;

export interface Spacing {
  /** Extent of a vertex across the layers. */
  extentOf(vertex: number): number;
  /** Least room between two neighbours of a layer. */
  gapBetween(a: number, b: number): number;
}

/**
 * Centres of all vertices across the layers: each as near the median of its neighbours as the order of its layer and the room
 * between allow. Starts from the seed where there is one.
 */
export function placeAcross(
  skeleton: Skeleton,
  spacing: Spacing,
  seed: ReadonlyMap<string, number> | null,
): Float64Array {
  const centre = new Float64Array(skeleton.names.length);
  const offsets = skeleton.layers.map((layer) => packed(layer, spacing));
  skeleton.layers.forEach((layer, k) => {
    const middle = offsets[k]!.at(-1)! / 2;
    const wishes = layer.map((vertex, i) => seed?.get(skeleton.names[vertex]!) ?? offsets[k]![i]! - middle);
    settle(skeleton, layer, offsets[k]!, wishes, centre);
  });
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const order = [...skeleton.layers.keys()];
    for (const k of sweep % 2 === 0 ? order : order.reverse()) {
      const layer = skeleton.layers[k]!;
      const wishes = layer.map((vertex, i) =>
        isLoose(skeleton, vertex) ? besideOf(layer, i, centre) : wishOf(skeleton, vertex, sweep, centre),
      );
      settle(skeleton, layer, offsets[k]!, wishes, centre);
    }
  }
  return centre;
}

const isLoose = ({ up, down }: Skeleton, vertex: number) => up[vertex]!.length + down[vertex]!.length === 0;

/** A loose node stays beside its neighbour in the layer; a wish of its own would let it drift away edit by edit. */
const besideOf = (layer: readonly number[], i: number, centre: Float64Array): number =>
  centre[layer[i - 1] ?? layer[i + 1] ?? layer[i]!]!;

/** Centres of a layer whose vertices stand as close as they may, from 0. */
function packed(layer: readonly number[], { extentOf, gapBetween }: Spacing): number[] {
  const offsets = [0];
  for (let i = 1; i < layer.length; i++) {
    const [a, b] = [layer[i - 1]!, layer[i]!];
    offsets.push(offsets[i - 1]! + (extentOf(a) + extentOf(b)) / 2 + gapBetween(a, b));
  }
  return offsets;
}

/** Sweeps look at one side in turn; the last two at both, which centres a node among what is around it. */
function wishOf({ up, down }: Skeleton, vertex: number, sweep: number, centre: Float64Array): number {
  const isLast = sweep >= SWEEPS - 2;
  const side = sweep % 2 === 0 ? up[vertex]! : down[vertex]!;
  const near = isLast ? [...up[vertex]!, ...down[vertex]!] : side;
  if (near.length === 0) return centre[vertex]!;
  if (near.length === 1) return centre[near[0]!]!;
  const places = near.map((other) => centre[other]!).sort((a, b) => a - b);
  const half = places.length >> 1;
  return places.length % 2 === 1 ? places[half]! : (places[half - 1]! + places[half]!) / 2;
}

function weightOf(skeleton: Skeleton, vertex: number): number {
  if (isLoose(skeleton, vertex)) return LOOSE_WEIGHT;
  return vertex < skeleton.nodeCount ? 1 : BEND_WEIGHT;
}

/**
 * Keeps order and room and moves each vertex as near its wish as that allows: weighted least squares by pooling neighbours
 * that are in each other's way.
 */
function settle(
  skeleton: Skeleton,
  layer: readonly number[],
  offsets: readonly number[],
  wishes: readonly number[],
  centre: Float64Array,
): void {
  const blocks: { sum: number; weight: number; size: number }[] = [];
  layer.forEach((vertex, i) => {
    const weight = weightOf(skeleton, vertex);
    const block = { sum: weight * (wishes[i]! - offsets[i]!), weight, size: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.weight > block.sum / block.weight; ) {
      block.sum += last.sum;
      block.weight += last.weight;
      block.size += last.size;
      blocks.pop();
      last = blocks.at(-1);
    }
    blocks.push(block);
  });
  let i = 0;
  for (const { sum, weight, size } of blocks)
    for (let k = 0; k < size; k++, i++) centre[layer[i]!] = sum / weight + offsets[i]!;
}
