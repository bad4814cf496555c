import { geti, seti } from "./memory";
import { BAD_ARGUMENT, BAD_INDEX, BAD_OFFSETS, CYCLE, fail } from "./status";

// @ts-ignore: decorator
@inline const UNVISITED: i32 = -1;
// @ts-ignore: decorator
@inline const OPEN: i32 = -2;
// @ts-ignore: decorator
@inline const DONE: i32 = 0;

function validate(n: i32, e: i32, needOff: usize, need: usize): i32 {
  if (n < 0 || e < 0) return fail(BAD_ARGUMENT, 0);
  if (geti(needOff, 0) != 0 || geti(needOff, n) != e) return fail(BAD_OFFSETS, n);
  for (let v = 0; v < n; v++) if (geti(needOff, v + 1) < geti(needOff, v)) return fail(BAD_OFFSETS, v);
  for (let j = 0; j < e; j++) if (<u32>geti(need, j) >= <u32>n) return fail(BAD_INDEX, j);
  return 0;
}

/** Gives root and all it needs their wave: one more than the highest wave they need. Stack: 8 bytes a node. */
function settleWaves(root: i32, needOff: usize, need: usize, wave: usize, stack: usize): i32 {
  let v = root;
  let top = stack;
  let j = geti(needOff, v);
  while (true) {
    const end = geti(needOff, v + 1);
    seti(wave, v, OPEN);
    let down = -1;
    for (; j < end; j++) {
      const u = geti(need, j);
      const state = geti(wave, u);
      if (state == OPEN) return fail(CYCLE, u);
      if (state == UNVISITED) {
        down = u;
        break;
      }
    }
    if (down >= 0) {
      store<i32>(top, v);
      store<i32>(top, j, 4);
      top += 8;
      v = down;
      j = geti(needOff, v);
      continue;
    }
    let depth = 0;
    for (let k = geti(needOff, v); k < end; k++) depth = max(depth, geti(wave, geti(need, k)) + 1);
    seti(wave, v, depth);
    if (top == stack) return 0;
    top -= 8;
    v = load<i32>(top);
    j = load<i32>(top, 4);
  }
}

/** order[n]: nodes by wave, then by index (a counting sort; count has n + 1 entries). Returns the number of waves. */
function byWave(n: i32, order: usize, wave: usize, count: usize): i32 {
  memory.fill(count, 0, (<usize>n + 1) << 2);
  let waves = 0;
  for (let v = 0; v < n; v++) {
    const w = geti(wave, v) + 1;
    seti(count, w, geti(count, w) + 1);
    waves = max(waves, w);
  }
  for (let w = 1; w <= waves; w++) seti(count, w, geti(count, w) + geti(count, w - 1));
  for (let v = 0; v < n; v++) {
    const w = geti(wave, v);
    const at = geti(count, w);
    seti(order, at, v);
    seti(count, w, at + 1);
  }
  return waves;
}

/**
 * Waves and order of a graph whose indices are the ranks of its keys. Fills order[n] and wave[n]; stack has 8 bytes a node
 * and at least 4 more. Returns the number of waves.
 */
export function plan(n: i32, e: i32, needOff: usize, need: usize, order: usize, wave: usize, stack: usize): i32 {
  const status = validate(n, e, needOff, need);
  if (status < 0) return status;
  for (let v = 0; v < n; v++) seti(wave, v, UNVISITED);
  for (let root = 0; root < n; root++) {
    if (geti(wave, root) != UNVISITED) continue;
    const settled = settleWaves(root, needOff, need, wave, stack);
    if (settled < 0) return settled;
  }
  return byWave(n, order, wave, stack);
}

/**
 * The needs that close a cycle: those found by a depth-first search in index order to lead back to an open node. Without
 * them the graph has no cycle. Writes their positions in `need` to out[e], returns how many; from[n] is each node's parent
 * in the search (-1 for a root), by which the cycle of such a need is walked back.
 */
export function backEdges(
  n: i32, e: i32, needOff: usize, need: usize, state: usize, from: usize, next: usize, out: usize,
): i32 {
  const status = validate(n, e, needOff, need);
  if (status < 0) return status;
  let found = 0;
  for (let v = 0; v < n; v++) {
    seti(state, v, UNVISITED);
    seti(next, v, geti(needOff, v));
  }
  for (let root = 0; root < n; root++) {
    if (geti(state, root) != UNVISITED) continue;
    let v = root;
    seti(from, v, -1);
    seti(state, v, OPEN);
    while (v >= 0) {
      const j = geti(next, v);
      if (j == geti(needOff, v + 1)) {
        seti(state, v, DONE);
        v = geti(from, v);
        continue;
      }
      seti(next, v, j + 1);
      const u = geti(need, j);
      const seen = geti(state, u);
      if (seen == OPEN) seti(out, found++, j);
      else if (seen == UNVISITED) {
        seti(from, u, v);
        seti(state, u, OPEN);
        v = u;
      }
    }
  }
  return found;
}
