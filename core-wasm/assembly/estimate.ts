import { geti, seti } from "./memory";
import { BAD_ARGUMENT, BAD_INDEX, BAD_OFFSETS, CYCLE, fail } from "./status";

// Both lanes of an f64x2 are worked out at once: lane 0 is p25, lane 1 is p75. `fin` has 16 bytes a node: the time from the
// start of the plan to the node's end. While nodes are being visited, lane 0 below zero is their state.
// @ts-ignore: decorator
@inline const UNVISITED: f64 = -1.0;
// @ts-ignore: decorator
@inline const OPEN: f64 = -2.0;

// @ts-ignore: decorator
@inline function finAt(fin: usize, node: i32): usize {
  return fin + (<usize>node << 4);
}
// @ts-ignore: decorator
@inline function rowAt(rows: usize, role: i32): usize {
  return rows + (<usize>role << 6);
}

// out: f64x2 cost, f64x2 duration, i32x4 unknown counts (as in a role's row), i32 length of the ordered prefix.
// @ts-ignore: decorator
@inline function saveTotals(out: usize, cost: v128, longest: v128, unknown: v128): void {
  v128.store(out, cost);
  v128.store(out, longest, 16);
  v128.store(out, unknown, 32);
}

/** Relaxes nodes while each needs only earlier ones; returns how many that were. */
function orderedPrefix(
  n: i32, e: i32, roles: i32, role: usize, needOff: usize, need: usize, rows: usize, out: usize, fin: usize,
): i32 {
  let longest: v128 = f64x2.splat(0), cost: v128 = f64x2.splat(0), unknown: v128 = i32x4.splat(0);
  let i = 0;
  let p = need;
  const end = need + (<usize>e << 2);
  for (; i < n; i++) {
    const rowEnd = need + (<usize>geti(needOff, i + 1) << 2);
    if (rowEnd < p || rowEnd > end) return fail(BAD_OFFSETS, i);
    let start: v128 = f64x2.splat(0);
    const rowStart = p;
    while (p < rowEnd) {
      const u = load<u32>(p);
      if (u >= <u32>i) break;
      start = f64x2.pmax(start, v128.load(finAt(fin, u)));
      p += 4;
    }
    if (p < rowEnd) {
      p = rowStart;
      break;
    }
    const r = geti(role, i);
    if (<u32>r >= <u32>roles) return fail(BAD_INDEX, i);
    const row = rowAt(rows, r);
    cost = f64x2.add(cost, v128.load(row));
    unknown = i32x4.add(unknown, v128.load(row, 32));
    const finish = f64x2.add(start, v128.load(row, 16));
    v128.store(finAt(fin, i), finish);
    longest = f64x2.pmax(longest, finish);
  }
  saveTotals(out, cost, longest, unknown);
  store<i32>(out, i, 48);
  return i;
}

/** Validates nodes from..n, adds their costs and marks them unvisited. */
function openRest(
  from: i32, n: i32, e: i32, roles: i32, role: usize, needOff: usize, need: usize, rows: usize, out: usize, fin: usize,
): i32 {
  let cost = v128.load(out), unknown = v128.load(out, 32);
  let previous = geti(needOff, from);
  const first = previous;
  for (let v = from; v < n; v++) {
    const next = geti(needOff, v + 1);
    if (next < previous || next > e) return fail(BAD_OFFSETS, v);
    previous = next;
    const r = geti(role, v);
    if (<u32>r >= <u32>roles) return fail(BAD_INDEX, v);
    const row = rowAt(rows, r);
    cost = f64x2.add(cost, v128.load(row));
    unknown = i32x4.add(unknown, v128.load(row, 32));
    store<f64>(finAt(fin, v), UNVISITED);
  }
  for (let j = first; j < e; j++) if (<u32>geti(need, j) >= <u32>n) return fail(BAD_INDEX, j);
  v128.store(out, cost);
  v128.store(out, unknown, 32);
  return 0;
}

/** Finishes root and all it needs, depth first; appends them to order from tail on and returns the new tail. */
function finish(
  root: i32, tail: i32, role: usize, needOff: usize, need: usize, rows: usize, order: usize, fin: usize, stack: usize,
): i32 {
  let v = root;
  let top = stack;
  let q = need + (<usize>geti(needOff, v) << 2);
  while (true) {
    const rowStart = need + (<usize>geti(needOff, v) << 2);
    const rowEnd = need + (<usize>geti(needOff, v + 1) << 2);
    const resumed = q != rowStart;
    let start: v128 = f64x2.splat(0);
    let down = -1;
    for (; q < rowEnd; q += 4) {
      const u = load<i32>(q);
      const done = v128.load(finAt(fin, u));
      const state = f64x2.extract_lane(done, 0);
      if (state < 0) {
        if (state == OPEN || u == v) return fail(CYCLE, u);
        down = u;
        break;
      }
      start = f64x2.pmax(start, done);
    }
    if (down >= 0) {
      // The place in the row is kept, so that a long row is not read again from its start after each descent.
      store<f64>(finAt(fin, v), OPEN);
      store<i32>(top, v);
      store<u32>(top, <u32>q, 4);
      top += 8;
      v = down;
      q = need + (<usize>geti(needOff, v) << 2);
      continue;
    }
    if (resumed) for (let p = rowStart; p < rowEnd; p += 4) start = f64x2.pmax(start, v128.load(finAt(fin, load<i32>(p))));
    v128.store(finAt(fin, v), f64x2.add(start, v128.load(rowAt(rows, geti(role, v)), 16)));
    seti(order, tail++, v);
    if (top == stack) return tail;
    top -= 8;
    v = load<i32>(top);
    q = <usize>load<u32>(top, 4);
  }
}

/**
 * Adds up the cost quartiles of all nodes and finds the longest path of the duration quartiles.
 * role[n] are rows; needOff[n + 1] and need[e] the graph; order[n] is filled with a topological order unless the indices
 * are one already (ordered prefix = n); stack has 8 bytes a node.
 */
export function estimate(
  n: i32, e: i32, roles: i32, role: usize, needOff: usize, need: usize, rows: usize,
  out: usize, order: usize, fin: usize, stack: usize,
): i32 {
  if (n < 0 || e < 0 || roles < 0) return fail(BAD_ARGUMENT, 0);
  if (geti(needOff, 0) != 0 || geti(needOff, n) != e) return fail(BAD_OFFSETS, n);
  const from = orderedPrefix(n, e, roles, role, needOff, need, rows, out, fin);
  if (from < 0 || from == n) return min(from, 0);
  const status = openRest(from, n, e, roles, role, needOff, need, rows, out, fin);
  if (status < 0) return status;
  let tail = 0;
  for (; tail < from; tail++) seti(order, tail, tail);
  for (let root = from; root < n; root++) {
    if (load<f64>(finAt(fin, root)) >= 0) continue;
    tail = finish(root, tail, role, needOff, need, rows, order, fin, stack);
    if (tail < 0) return tail;
  }
  let longest = v128.load(out, 16);
  for (let v = from; v < n; v++) longest = f64x2.pmax(longest, v128.load(finAt(fin, v)));
  v128.store(out, longest, 16);
  return 0;
}
