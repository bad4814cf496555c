import { getf, geti, setf } from "./memory";
import { quartilesInPlace, validateOffsets } from "./quartiles";
import { below, seedRandom } from "./random";
import { BAD_ARGUMENT, BAD_INDEX, BAD_OFFSETS, fail } from "./status";

function validate(
  n: i32, e: i32, roles: i32, role: usize, needOff: usize, need: usize, ordered: i32, order: usize,
  costOff: usize, costs: i32, durOff: usize, durs: i32,
): i32 {
  if (geti(needOff, 0) != 0 || geti(needOff, n) != e) return fail(BAD_OFFSETS, n);
  for (let v = 0; v < n; v++) {
    if (geti(needOff, v + 1) < geti(needOff, v)) return fail(BAD_OFFSETS, v);
    if (<u32>geti(role, v) >= <u32>roles) return fail(BAD_INDEX, v);
    if (!ordered && <u32>geti(order, v) >= <u32>n) return fail(BAD_INDEX, v);
  }
  for (let j = 0; j < e; j++) if (<u32>geti(need, j) >= <u32>n) return fail(BAD_INDEX, j);
  const status = validateOffsets(roles, costOff, costs);
  return status < 0 ? status : validateOffsets(roles, durOff, durs);
}

// @ts-ignore: decorator
@inline function pick(offsets: usize, samples: usize, role: i32): f64 {
  const at = geti(offsets, role);
  const count = geti(offsets, role + 1) - at;
  return count == 0 ? 0 : getf(samples, at + below(count));
}

/** Draws a cost and a duration for each node, in index order; returns the sum of costs. */
function drawNodes(
  n: i32, role: usize, costOff: usize, cost: usize, durOff: usize, dur: usize, fin: usize,
): f64 {
  let total: f64 = 0;
  for (let v = 0; v < n; v++) {
    const r = geti(role, v);
    total += pick(costOff, cost, r);
    setf(fin, v, pick(durOff, dur, r));
  }
  return total;
}

/** Longest path over the drawn durations in fin, which becomes the finish times. */
function longestPath(n: i32, needOff: usize, need: usize, ordered: i32, order: usize, fin: usize): f64 {
  let longest: f64 = 0;
  for (let i = 0; i < n; i++) {
    const v = ordered ? i : geti(order, i);
    const end = geti(needOff, v + 1);
    let start: f64 = 0;
    for (let j = geti(needOff, v); j < end; j++) {
      const x = getf(fin, geti(need, j));
      if (x > start) start = x;
    }
    const finish = start + getf(fin, v);
    setf(fin, v, finish);
    if (finish > longest) longest = finish;
  }
  return longest;
}

/**
 * Seeded bootstrap of the whole plan: each draw picks one past run's cost and one past run's duration for every node.
 * ordered: 1 when the indices are a topological order (else `order` is read); fin has 8 bytes a node, totals 16 bytes a
 * draw. out: f64 p25 and p75 of the cost, p25 and p75 of the duration.
 */
export function simulate(
  n: i32, e: i32, roles: i32, role: usize, needOff: usize, need: usize, ordered: i32, order: usize,
  costOff: usize, costs: i32, cost: usize, durOff: usize, durs: i32, dur: usize,
  draws: i32, seed: u32, fin: usize, totals: usize, out: usize,
): i32 {
  if (n < 0 || e < 0 || roles < 0 || draws < 1) return fail(BAD_ARGUMENT, 0);
  const status = validate(n, e, roles, role, needOff, need, ordered, order, costOff, costs, durOff, durs);
  if (status < 0) return status;
  const durations = totals + (<usize>draws << 3);
  seedRandom(seed);
  for (let d = 0; d < draws; d++) {
    setf(totals, d, drawNodes(n, role, costOff, cost, durOff, dur, fin));
    setf(durations, d, longestPath(n, needOff, need, ordered, order, fin));
  }
  quartilesInPlace(totals, draws, out);
  quartilesInPlace(durations, draws, out + 16);
  return 0;
}
