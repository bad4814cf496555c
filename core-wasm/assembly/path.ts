import { geti, seti } from "./memory";
import { BAD_ARGUMENT, BAD_INDEX, BAD_OFFSETS, fail } from "./status";

// @ts-ignore: decorator
@inline function latest(fin: usize, node: i32): f64 {
  return load<f64>(fin + (<usize>node << 4));
}

/**
 * The critical path of the last estimate, from its last node back to its first: writes nodes to out, returns how many.
 * lane: 0 for p25, 1 for p75. Equal times: the lowest index.
 */
export function path(n: i32, e: i32, needOff: usize, need: usize, fin: usize, lane: i32, out: usize): i32 {
  if (<u32>lane > 1) return fail(BAD_ARGUMENT, lane);
  const column = fin + (<usize>lane << 3);
  let v = -1;
  let best: f64 = -1;
  for (let i = 0; i < n; i++) {
    const x = latest(column, i);
    if (x > best) {
      best = x;
      v = i;
    }
  }
  let length = 0;
  while (v >= 0) {
    if (length == n) return fail(BAD_INDEX, v);
    seti(out, length++, v);
    let w = -1;
    best = -1;
    const start = geti(needOff, v);
    const end = geti(needOff, v + 1);
    if (start < 0 || end > e) return fail(BAD_OFFSETS, v);
    for (let j = start; j < end; j++) {
      const u = geti(need, j);
      if (<u32>u >= <u32>n) return fail(BAD_INDEX, j);
      const x = latest(column, u);
      if (x > best || (x == best && u < w)) {
        best = x;
        w = u;
      }
    }
    v = w;
  }
  return length;
}
