import { edgeId } from '../graph.ts';

export type Edge = readonly [from: string, to: string];

/** A plan in layers, with a bend wherever a dependency passes through a layer. Vertices are numbers: nodes first, bends after. */
export interface Skeleton {
  /** How many of the vertices are nodes. */
  nodeCount: number;
  /** Keys of nodes; bends are named after the end that they are shared at, so that the next layout finds them again. */
  names: string[];
  layerOf: number[];
  layers: number[][];
  up: number[][];
  down: number[][];
  /** Bends of each dependency by its id, from its start to its end. */
  bends: Map<string, readonly number[]>;
}

/**
 * Layers by longest path; what more depends on than it depends on itself stands just before that, so that lines are short.
 * Dependencies come in the order of their
 * weight: should they form a cycle (two revisions in one picture can), the last that closes it points backwards and has no bends.
 */
export function skeletonOf(keys: readonly string[], edges: readonly Edge[]): Skeleton {
  const indexOf = new Map(keys.map((key, i) => [key, i]));
  const numbered = edges.map(([from, to]) => [indexOf.get(from)!, indexOf.get(to)!] as const);
  const layering = layersOf(keys.length, numbered) ?? layersOfAcyclicPart(keys.length, numbered);
  const skeleton: Skeleton = {
    nodeCount: keys.length,
    names: [...keys],
    layerOf: layering,
    layers: [],
    up: keys.map(() => []),
    down: keys.map(() => []),
    bends: new Map(),
  };
  layering.forEach((layer, vertex) => {
    while (skeleton.layers.length <= layer) skeleton.layers.push([]);
    skeleton.layers[layer]!.push(vertex);
  });
  addEdges(skeleton, numbered);
  return skeleton;
}

type NumberedEdge = readonly [from: number, to: number];

/** The layer of each vertex, or null when the edges form a cycle. */
function layersOf(count: number, edges: readonly NumberedEdge[]): number[] | null {
  const layer = new Array<number>(count).fill(0);
  const waiting = new Array<number>(count).fill(0);
  const down: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    down[from]!.push(to);
    waiting[to]!++;
  }
  const ready = [...waiting.keys()].filter((vertex) => waiting[vertex] === 0);
  for (let at = 0; at < ready.length; at++)
    for (const to of down[ready[at]!]!) {
      layer[to] = Math.max(layer[to]!, layer[ready[at]!]! + 1);
      if (--waiting[to]! === 0) ready.push(to);
    }
  if (ready.length !== count) return null;
  const needs = new Array<number>(count).fill(0);
  for (const [, to] of edges) needs[to]!++;
  for (const vertex of ready.reverse()) {
    const dependents = down[vertex]!;
    if (dependents.length > needs[vertex]!)
      layer[vertex] = Math.min(...dependents.map((to) => layer[to]! - 1));
  }
  return layer;
}

/** Slow and rare: takes edges one by one and leaves out those that would close a cycle. */
function layersOfAcyclicPart(count: number, edges: readonly NumberedEdge[]): number[] {
  const kept: NumberedEdge[] = [];
  const down: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    if (leadsTo(down, to, from)) continue;
    down[from]!.push(to);
    kept.push([from, to]);
  }
  return layersOf(count, kept)!;
}

function leadsTo(down: readonly number[][], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const vertex of seen) for (const next of down[vertex]!) seen.add(next);
  return seen.has(to);
}

/**
 * Long dependencies with an end in common share their bends there, at the end that has more of them: fewer lines to follow,
 * and many dependencies on one node do not make many bends.
 */
function addEdges(skeleton: Skeleton, edges: readonly NumberedEdge[]): void {
  const { layerOf, names, bends } = skeleton;
  const long = edges.filter(([from, to]) => layerOf[to]! > layerOf[from]! + 1);
  const ends = new Map<number, number>();
  for (const vertex of long.flat()) ends.set(vertex, (ends.get(vertex) ?? 0) + 1);
  const made = new Map<string, number>();
  for (const [from, to] of edges) {
    const chain: number[] = [];
    const shared = (ends.get(from) ?? 0) >= (ends.get(to) ?? 0) ? `${names[from]}>` : `>${names[to]}`;
    for (let layer = layerOf[from]! + 1; layer < layerOf[to]!; layer++)
      chain.push(bendAt(skeleton, made, `${shared}@${layer}`, layer));
    bends.set(edgeId(names[from]!, names[to]!), chain);
    if (layerOf[to]! <= layerOf[from]!) continue;
    const way = [from, ...chain, to];
    for (let i = 1; i < way.length; i++) link(skeleton, way[i - 1]!, way[i]!);
  }
}

function bendAt(skeleton: Skeleton, made: Map<string, number>, name: string, layer: number): number {
  const known = made.get(name);
  if (known !== undefined) return known;
  const vertex = skeleton.names.push(name) - 1;
  made.set(name, vertex);
  skeleton.layerOf.push(layer);
  skeleton.layers[layer]!.push(vertex);
  skeleton.up.push([]);
  skeleton.down.push([]);
  return vertex;
}

function link({ up, down }: Skeleton, from: number, to: number): void {
  if (up[to]!.includes(from)) return;
  up[to]!.push(from);
  down[from]!.push(to);
}
