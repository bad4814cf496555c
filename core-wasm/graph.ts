import { CoreError } from './errors.ts';
import { type Kernels, succeed, takeArena, withKernels } from './instance.ts';
import { Layout } from './layout.ts';

export interface GraphNode {
  key: string;
  needs: readonly string[];
}

export type Ordering =
  | { ok: true; order: string[]; waves: number }
  | { ok: false; code: 'cycle'; path: string[] }
  | { ok: false; code: 'unknown_key' | 'duplicate_key'; key: string; at: string };

/** A graph by index: needs of node i are need[needOff[i]..needOff[i + 1]). */
export interface Columns {
  needOff: Int32Array;
  need: Int32Array;
}

interface RankedGraph extends Columns {
  /** Sorted with <, so that an index is a key's rank. */
  keys: string[];
  /** Position in the input of each rank. */
  input: Int32Array;
}

const SHORT_ROW = 16;

export type GraphFault = Exclude<Ordering, { ok: true }>;

/** Thrown inside this folder only; `orderGraph` returns it, others translate it. */
class FaultyGraph extends Error {
  constructor(readonly fault: GraphFault) {
    super(fault.code);
  }
}

function indexKeys(nodes: readonly GraphNode[]): Map<string, number> {
  const at = new Map<string, number>();
  nodes.forEach(({ key }, i) => {
    if (at.has(key)) throw new FaultyGraph({ ok: false, code: 'duplicate_key', key, at: `nodes[${i}].key` });
    at.set(key, i);
  });
  return at;
}

function countNeeds(nodes: readonly GraphNode[]): number {
  let count = 0;
  for (const node of nodes) count += node.needs.length;
  return count;
}

/** Rows are short as a rule: a call of the engine's sort would cost more than the sorting. */
function sortRow(need: Int32Array, start: number, end: number): void {
  if (end - start > SHORT_ROW) {
    need.subarray(start, end).sort();
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const value = need[i]!;
    let j = i - 1;
    for (; j >= start && need[j]! > value; j--) need[j + 1] = need[j]!;
    need[j + 1] = value;
  }
}

/** Indexes a graph by rank of key, rows sorted. Throws FaultyGraph for a duplicate or unknown key. */
function rankGraph(nodes: readonly GraphNode[]): RankedGraph {
  const at = indexKeys(nodes);
  const keys = [...at.keys()].sort();
  const input = Int32Array.from(keys, (key) => at.get(key)!);
  keys.forEach((key, rank) => void at.set(key, rank));
  const needOff = new Int32Array(nodes.length + 1);
  const need = new Int32Array(countNeeds(nodes));
  let end = 0;
  input.forEach((position, rank) => {
    const start = end;
    for (const [j, key] of nodes[position]!.needs.entries()) {
      const u = at.get(key);
      if (u === undefined)
        throw new FaultyGraph({ ok: false, code: 'unknown_key', key, at: `nodes[${position}].needs[${j}]` });
      need[end++] = u;
    }
    sortRow(need, start, end);
    needOff[rank + 1] = end;
  });
  return { keys, input, needOff, need };
}

interface BackEdges {
  /** Node whose need closes the cycle, and that need. */
  edges: { node: number; need: number; at: number }[];
  /** Parent of each node in the search, -1 for a root. */
  from: Int32Array;
}

/** The needs without which the graph has no cycle. */
export function backEdges({ needOff, need }: Columns): BackEdges {
  return withKernels((kernels) => {
    const n = needOff.length - 1;
    const layout = new Layout();
    const offAt = layout.take(n + 1, 4);
    const needAt = layout.take(need.length, 4);
    const [stateAt, fromAt, nextAt] = [layout.take(n, 4), layout.take(n, 4), layout.take(n, 4)];
    const outAt = layout.take(need.length, 4);
    const base = takeArena(kernels, layout.bytes, null);
    const memory = new Int32Array(kernels.memory.buffer);
    memory.set(needOff, (base + offAt) >> 2);
    memory.set(need, (base + needAt) >> 2);
    const columns = [offAt, needAt, stateAt, fromAt, nextAt, outAt].map((offset) => base + offset);
    const found = succeed(kernels, kernels.backEdges(n, need.length, ...columns));
    const positions = [...memory.subarray((base + outAt) >> 2, ((base + outAt) >> 2) + found)].sort(
      (a, b) => a - b,
    );
    const from = memory.slice((base + fromAt) >> 2, ((base + fromAt) >> 2) + n);
    return { edges: locate(positions, needOff, need), from };
  });
}

function locate(positions: readonly number[], needOff: Int32Array, need: Int32Array): BackEdges['edges'] {
  let node = 0;
  return positions.map((at) => {
    while (needOff[node + 1]! <= at) node++;
    return { node, need: need[at]!, at };
  });
}

/** The cycle that a back edge closes, as nodes: a, what a needs, …, a. */
export function cycleOf(edge: { node: number; need: number }, from: Int32Array): number[] {
  const path = [edge.need];
  for (let v = edge.node; v !== edge.need; v = from[v]!) path.push(v);
  path.push(edge.need);
  return path.reverse();
}

/** Ranks, waves and order. Ranks in `order` go by wave, then by key. */
export interface PlannedGraph extends RankedGraph {
  order: Int32Array;
  wave: Int32Array;
  waves: number;
}

function runPlan(kernels: Kernels, graph: RankedGraph): PlannedGraph {
  const n = graph.keys.length;
  const layout = new Layout();
  const offAt = layout.take(n + 1, 4);
  const needAt = layout.take(graph.need.length, 4);
  const [orderAt, waveAt, stackAt] = [layout.take(n, 4), layout.take(n, 4), layout.take(n + 1, 8)];
  const base = takeArena(kernels, layout.bytes, null);
  const memory = new Int32Array(kernels.memory.buffer);
  memory.set(graph.needOff, (base + offAt) >> 2);
  memory.set(graph.need, (base + needAt) >> 2);
  const columns = [offAt, needAt, orderAt, waveAt, stackAt].map((offset) => base + offset);
  const waves = succeed(kernels, kernels.plan(n, graph.need.length, ...columns));
  const column = (offset: number) => memory.slice((base + offset) >> 2, ((base + offset) >> 2) + n);
  return { ...graph, waves, order: column(orderAt), wave: column(waveAt) };
}

/** Orders a graph, or returns its first fault. */
export function planGraph(nodes: readonly GraphNode[]): PlannedGraph | GraphFault {
  let ranked: RankedGraph;
  try {
    ranked = rankGraph(nodes);
  } catch (error) {
    if (error instanceof FaultyGraph) return error.fault;
    throw error;
  }
  try {
    return withKernels((kernels) => runPlan(kernels, ranked));
  } catch (error) {
    if (!(error instanceof CoreError && error.code === 'CYCLE')) throw error;
    const { edges, from } = backEdges(ranked);
    return { ok: false, code: 'cycle', path: cycleOf(edges[0]!, from).map((rank) => ranked.keys[rank]!) };
  }
}

/** Orders keys by wave (one more than the highest wave a node needs), then with <. A cycle is given whole. */
export function orderGraph(nodes: readonly GraphNode[]): Ordering {
  const planned = planGraph(nodes);
  if ('ok' in planned) return planned;
  return { ok: true, order: Array.from(planned.order, (rank) => planned.keys[rank]!), waves: planned.waves };
}
