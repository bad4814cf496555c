import type { Estimate, EstimateNode, NodeEstimate, Range, RoleHistory } from '../../../core-wasm/core.ts';

// The estimator as good TypeScript would have it without WebAssembly: typed arrays, one pass while the order of nodes is
// topological, a queue for the rest.

interface Rows {
  facts: Omit<NodeEstimate, 'key'>[];
  /** Cost low, cost high, duration low, duration high, a role. */
  values: Float64Array;
}

export interface TypedGraph {
  keys: string[];
  role: Int32Array;
  needOff: Int32Array;
  need: Int32Array;
  roleNames: string[];
}

function select(a: Float64Array, from: number, to: number, k: number): void {
  let lo = from;
  let hi = to;
  while (hi > lo) {
    const pivot = a[(lo + hi) >>> 1]!;
    let i = lo;
    let j = hi;
    do {
      while (a[i]! < pivot) i++;
      while (a[j]! > pivot) j--;
      if (i <= j) {
        const swap = a[i]!;
        a[i++] = a[j]!;
        a[j--] = swap;
      }
    } while (i <= j);
    if (k <= j) hi = j;
    else if (k >= i) lo = i;
    else return;
  }
}

function quantile(a: Float64Array, quarters: number): number {
  const numerator = (a.length - 1) * quarters;
  const k = numerator >> 2;
  select(a, 0, a.length - 1, k);
  const fraction = (numerator & 3) / 4;
  if (fraction === 0) return a[k]!;
  select(a, k + 1, a.length - 1, k + 1);
  return a[k]! + fraction * (a[k + 1]! - a[k]!);
}

function quartiles(samples: readonly number[]): Range | null {
  if (samples.length === 0) return null;
  const copy = Float64Array.from(samples);
  return { p25: quantile(copy, 1), p75: quantile(copy, 3) };
}

export function typedRows(
  roleNames: readonly string[],
  histories: Readonly<Record<string, RoleHistory>>,
): Rows {
  const values = new Float64Array(roleNames.length * 4);
  const facts = roleNames.map((name, r) => {
    const { costMicros, durationMs } = histories[name] ?? { costMicros: [], durationMs: [] };
    const [cost, duration] = [quartiles(costMicros), quartiles(durationMs)];
    values.set([cost?.p25 ?? 0, cost?.p75 ?? 0, duration?.p25 ?? 0, duration?.p75 ?? 0], r * 4);
    return {
      sampleSize: Math.max(costMicros.length, durationMs.length),
      costMicros: cost,
      durationMs: duration,
    };
  });
  return { facts, values };
}

export function typedGraph(nodes: readonly EstimateNode[]): TypedGraph {
  const n = nodes.length;
  const at = new Map<string, number>();
  const keys = new Array<string>(n);
  const needOff = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    const node = nodes[i]!;
    keys[i] = node.key;
    at.set(node.key, i);
    needOff[i + 1] = needOff[i]! + node.needs.length;
  }
  const need = new Int32Array(needOff[n]!);
  const role = new Int32Array(n);
  const roleNames: string[] = [];
  const roleAt = new Map<string, number>();
  let end = 0;
  for (let i = 0; i < n; i++) {
    const { needs, role: name } = nodes[i]!;
    for (let j = 0; j < needs.length; j++) need[end++] = at.get(needs[j]!)!;
    let row = roleAt.get(name!);
    if (row === undefined) {
      row = roleNames.push(name!) - 1;
      roleAt.set(name!, row);
    }
    role[i] = row;
  }
  return { keys, role, needOff, need, roleNames };
}

/** Nodes from `from` on in an order in which each comes after what it needs. */
function queueRest({ needOff, need }: TypedGraph, n: number, from: number): Int32Array {
  const open = new Int32Array(n);
  const dependantOff = new Int32Array(n + 1);
  for (let v = from; v < n; v++)
    for (let j = needOff[v]!; j < needOff[v + 1]!; j++)
      if (need[j]! >= from) {
        open[v]!++;
        dependantOff[need[j]! + 1]!++;
      }
  for (let v = 0; v < n; v++) dependantOff[v + 1]! += dependantOff[v]!;
  const dependants = new Int32Array(dependantOff[n]!);
  const fill = dependantOff.slice();
  for (let v = from; v < n; v++)
    for (let j = needOff[v]!; j < needOff[v + 1]!; j++)
      if (need[j]! >= from) dependants[fill[need[j]!]!++] = v;
  const order = new Int32Array(n - from);
  let tail = 0;
  for (let v = from; v < n; v++) if (open[v] === 0) order[tail++] = v;
  for (let i = 0; i < tail; i++)
    for (let j = dependantOff[order[i]!]!; j < dependantOff[order[i]! + 1]!; j++)
      if (--open[dependants[j]!]! === 0) order[tail++] = dependants[j]!;
  if (tail < n - from) throw new Error('cycle');
  return order;
}

/**
 * Adds the nodes order[from..to) (or from..to themselves) to out: cost low, cost high, duration low, duration high. Stops
 * at a node that needs a later one when there is no order; returns where it stopped.
 */
function relax(
  { role, needOff, need }: TypedGraph,
  values: Float64Array,
  fin: Float64Array,
  out: Float64Array,
  order: Int32Array | null,
  to: number,
): number {
  let costLow = out[0]!;
  let costHigh = out[1]!;
  let low = out[2]!;
  let high = out[3]!;
  let i = 0;
  walk: for (; i < to; i++) {
    const v = order === null ? i : order[i]!;
    const end = needOff[v + 1]!;
    let startLow = 0;
    let startHigh = 0;
    for (let j = needOff[v]!; j < end; j++) {
      const u = need[j]!;
      if (order === null && u >= v) break walk;
      const needLow = fin[u * 2]!;
      const needHigh = fin[u * 2 + 1]!;
      if (needLow > startLow) startLow = needLow;
      if (needHigh > startHigh) startHigh = needHigh;
    }
    const row = role[v]! * 4;
    costLow += values[row]!;
    costHigh += values[row + 1]!;
    startLow += values[row + 2]!;
    startHigh += values[row + 3]!;
    fin[v * 2] = startLow;
    fin[v * 2 + 1] = startHigh;
    if (startLow > low) low = startLow;
    if (startHigh > high) high = startHigh;
  }
  out[0] = costLow;
  out[1] = costHigh;
  out[2] = low;
  out[3] = high;
  return i;
}

/** Totals into out: cost low, cost high, duration low, duration high. fin: two finish times a node. */
export function typedPass(
  graph: TypedGraph,
  values: Float64Array,
  fin: Float64Array,
  out: Float64Array,
): void {
  const n = graph.role.length;
  out.fill(0);
  const ordered = relax(graph, values, fin, out, null, n);
  if (ordered < n) relax(graph, values, fin, out, queueRest(graph, n, ordered), n - ordered);
}

function criticalPath({ keys, needOff, need }: TypedGraph, fin: Float64Array): string[] {
  const path: string[] = [];
  let v = -1;
  for (let i = 0; i < keys.length; i++) if (v < 0 || fin[i * 2 + 1]! > fin[v * 2 + 1]!) v = i;
  while (v >= 0) {
    path.push(keys[v]!);
    let w = -1;
    for (let j = needOff[v]!; j < needOff[v + 1]!; j++) {
      const u = need[j]!;
      const later = w < 0 ? 1 : fin[u * 2 + 1]! - fin[w * 2 + 1]!;
      if (later > 0 || (later === 0 && u < w)) w = u;
    }
    v = w;
  }
  return path.reverse();
}

/** The estimate without simulation, for plans in which every role has a history. */
export function typedEstimate(
  nodes: readonly EstimateNode[],
  histories: Readonly<Record<string, RoleHistory>>,
): Estimate {
  const graph = typedGraph(nodes);
  const { facts, values } = typedRows(graph.roleNames, histories);
  const fin = new Float64Array(nodes.length * 2);
  const out = new Float64Array(4);
  typedPass(graph, values, fin, out);
  const estimates = graph.keys.map((key, i): NodeEstimate => {
    const { sampleSize, costMicros, durationMs } = facts[graph.role[i]!]!;
    return { key, sampleSize, costMicros, durationMs };
  });
  return {
    nodes: estimates,
    cost: { sumOfQuartiles: { p25: out[0]!, p75: out[1]! }, simulated: null, atLeast: false },
    duration: { longestPath: { p25: out[2]!, p75: out[3]! }, simulated: null, atLeast: false },
    ...{
      knownNodes: nodes.length,
      unknownNodes: 0,
      criticalPath: criticalPath(graph, fin),
      draws: 0,
      seed: 0,
    },
  };
}
