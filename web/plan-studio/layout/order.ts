import type { Skeleton } from './skeleton.ts';

const SWEEPS = 16;
/** Sweeps in a row without fewer crossings before giving up. */
const PATIENCE = 4;
/** A plan that was on the screen is put in another order only for so many crossings less, and such a share of them. */
const WORTH_MOVING = { crossings: 8, share: 0.4 };

/**
 * Orders each layer so that few dependencies cross: sweeps to and fro, each vertex to the mean of its neighbours, the best
 * order kept. `seed` (where a name was across the layers) makes an edit move as little as it can.
 */
export function orderLayers(skeleton: Skeleton, seed: ReadonlyMap<string, number> | null): void {
  if (seed) seedOrder(skeleton, seed);
  const at = positions(skeleton);
  const first = crossings(skeleton, at);
  let best = snapshot(skeleton);
  let fewest = first;
  for (let sweep = 0, stale = 0; sweep < SWEEPS && stale < PATIENCE && fewest > 0; sweep++) {
    sweepOnce(skeleton, at, sweep % 2 === 0);
    const found = crossings(skeleton, at);
    stale = found < fewest ? 0 : stale + 1;
    if (found >= fewest) continue;
    const isWorthIt = !seed || first - found >= Math.max(WORTH_MOVING.crossings, first * WORTH_MOVING.share);
    fewest = found;
    if (isWorthIt) best = snapshot(skeleton);
  }
  skeleton.layers = best;
}

const snapshot = ({ layers }: Skeleton): number[][] => layers.map((layer) => [...layer]);

/** Where the seed has it; what is new stands at the mean of its neighbours. */
function seedOrder(skeleton: Skeleton, seed: ReadonlyMap<string, number>): void {
  const known = skeleton.names.map((name) => seed.get(name) ?? null);
  const wish = known.map((place, vertex) => place ?? neighbourMean(skeleton, known, vertex));
  for (const layer of skeleton.layers) layer.sort((a, b) => wish[a]! - wish[b]! || a - b);
}

function neighbourMean({ up, down }: Skeleton, known: readonly (number | null)[], vertex: number): number {
  const places = [...up[vertex]!, ...down[vertex]!].flatMap((other) => known[other] ?? []);
  return places.length > 0 ? mean(places) : Number.POSITIVE_INFINITY;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Each vertex's place in its layer. */
function positions({ layers, names }: Skeleton): Int32Array {
  const at = new Int32Array(names.length);
  for (const layer of layers) number(layer, at);
  return at;
}

function number(layer: readonly number[], at: Int32Array): void {
  for (let i = 0; i < layer.length; i++) at[layer[i]!] = i;
}

function sweepOnce({ layers, layerOf, up, down }: Skeleton, at: Int32Array, isDown: boolean): void {
  const neighbours = isDown ? up : down;
  const share = new Float64Array(at.length);
  const scale = layers.map((layer) => 1 / Math.max(1, layer.length - 1));
  for (const layer of isDown ? layers : layers.toReversed()) {
    for (const vertex of layer) {
      const near = neighbours[vertex]!;
      let sum = 0;
      for (const other of near) sum += at[other]! * scale[layerOf[other]!]!;
      share[vertex] = near.length > 0 ? sum / near.length : at[vertex]! * scale[layerOf[vertex]!]!;
    }
    layer.sort((a, b) => share[a]! - share[b]! || at[a]! - at[b]!);
    number(layer, at);
  }
}

/** How many pairs of lines cross between neighbouring layers. */
function crossings({ layers, down }: Skeleton, at: Int32Array): number {
  let count = 0;
  const ends: number[] = [];
  for (let k = 0; k + 1 < layers.length; k++) {
    ends.length = 0;
    for (const vertex of layers[k]!) {
      const from = ends.length;
      for (const to of down[vertex]!) ends.push(at[to]!);
      sortTail(ends, from);
    }
    count += inversions(ends, layers[k + 1]!.length);
  }
  return count;
}

/** Few values, nearly sorted: insertion is the fastest. */
function sortTail(values: number[], from: number): void {
  for (let i = from + 1; i < values.length; i++) {
    const value = values[i]!;
    let j = i;
    for (; j > from && values[j - 1]! > value; j--) values[j] = values[j - 1]!;
    values[j] = value;
  }
}

/** Pairs out of order, by a Fenwick tree. */
function inversions(values: readonly number[], bound: number): number {
  const tree = new Int32Array(bound + 1);
  let count = 0;
  for (let i = values.length - 1; i >= 0; i--) {
    for (let j = values[i]!; j > 0; j -= j & -j) count += tree[j]!;
    for (let j = values[i]! + 1; j <= bound; j += j & -j) tree[j]!++;
  }
  return count;
}
