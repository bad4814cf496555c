import { getf, geti, setf } from "./memory";
import { BAD_ARGUMENT, BAD_OFFSETS, BAD_SAMPLE, fail } from "./status";

// Samples are whole micro-dollars or milliseconds below 2^43, so that the sum over a thousand nodes stays exact in f64.
// @ts-ignore: decorator
@inline const SAMPLE_LIMIT: f64 = 8796093022208.0;

function insertionSort(column: usize, lo: i32, hi: i32): void {
  for (let i = lo + 1; i <= hi; i++) {
    const value = getf(column, i);
    let j = i - 1;
    while (j >= lo && getf(column, j) > value) {
      setf(column, j + 1, getf(column, j));
      j--;
    }
    setf(column, j + 1, value);
  }
}

// @ts-ignore: decorator
@inline function medianOfThree(x: f64, y: f64, z: f64): f64 {
  return max(min(x, y), min(max(x, y), z));
}

// Puts the k-th smallest of [lo, hi] at k, everything smaller before it.
function select(column: usize, lo: i32, hi: i32, k: i32): void {
  while (hi - lo > 10) {
    const pivot = medianOfThree(getf(column, lo), getf(column, (lo + hi) >>> 1), getf(column, hi));
    let i = lo;
    let j = hi;
    do {
      while (getf(column, i) < pivot) i++;
      while (getf(column, j) > pivot) j--;
      if (i <= j) {
        const swap = getf(column, i);
        setf(column, i++, getf(column, j));
        setf(column, j--, swap);
      }
    } while (i <= j);
    if (k <= j) hi = j;
    else if (k >= i) lo = i;
    else return;
  }
  insertionSort(column, lo, hi);
}

// Type 7 quantile (the default of R and NumPy). The fraction is an exact multiple of 1/4.
// @ts-ignore: decorator
@inline function quantile7(column: usize, n: i32, quarters: i32): f64 {
  const numerator = (n - 1) * quarters;
  const k = numerator >> 2;
  const low = getf(column, k);
  const fraction = <f64>(numerator & 3) * 0.25;
  return fraction == 0 ? low : low + fraction * (getf(column, k + 1) - low);
}

/** Writes p25 and p75 of the n values at `column`, which it reorders, to out. No values: two zeros. */
export function quartilesInPlace(column: usize, n: i32, out: usize): void {
  if (n == 0) {
    setf(out, 0, 0);
    setf(out, 1, 0);
    return;
  }
  const k1 = (n - 1) >> 2;
  const k3 = ((n - 1) * 3) >> 2;
  select(column, 0, n - 1, k1);
  if (k1 + 1 < n) select(column, k1 + 1, n - 1, k1 + 1);
  if (k3 > k1 + 1) select(column, k1 + 2, n - 1, k3);
  if (k3 + 1 < n && k3 > k1) select(column, k3 + 1, n - 1, k3 + 1);
  setf(out, 0, quantile7(column, n, 1));
  setf(out, 1, quantile7(column, n, 3));
}

/** Offsets of `roles` rows must rise from 0 to `count`. */
export function validateOffsets(roles: i32, off: usize, count: i32): i32 {
  if (geti(off, 0) != 0 || geti(off, roles) != count) return fail(BAD_OFFSETS, roles);
  for (let r = 0; r < roles; r++) if (geti(off, r + 1) < geti(off, r)) return fail(BAD_OFFSETS, r);
  return 0;
}

/** Returns the position of the first bad sample, or -1. */
function copySamples(source: usize, at: i32, n: i32, scratch: usize): i32 {
  for (let i = 0; i < n; i++) {
    const value = getf(source, at + i);
    if (!(value >= 0 && value < SAMPLE_LIMIT && Math.floor(value) == value)) return at + i;
    setf(scratch, i, value);
  }
  return -1;
}

/**
 * Fills one 64-byte row a role: f64 costLow, costHigh, durationLow, durationHigh; i32x4 unknown cost, unknown duration,
 * unknown both (0 or 1), 0; i32 cost samples, duration samples. Offsets have roles + 1 entries; scratch
 * holds the longest role. BAD_SAMPLE details a cost's position as it is, a duration's as -1 - position.
 */
export function quartiles(
  roles: i32, costOff: usize, costs: i32, cost: usize, durOff: usize, durs: i32, dur: usize, rows: usize, scratch: usize,
): i32 {
  if (roles < 0) return fail(BAD_ARGUMENT, 0);
  const status = validateOffsets(roles, costOff, costs);
  if (status < 0) return status;
  return min(validateOffsets(roles, durOff, durs), 0) || fillRows(roles, costOff, cost, durOff, dur, rows, scratch);
}

function fillRows(
  roles: i32, costOff: usize, cost: usize, durOff: usize, dur: usize, rows: usize, scratch: usize,
): i32 {
  for (let r = 0; r < roles; r++) {
    const costAt = geti(costOff, r);
    const costs = geti(costOff, r + 1) - costAt;
    const durAt = geti(durOff, r);
    const durs = geti(durOff, r + 1) - durAt;
    const row = rows + (<usize>r << 6);
    let bad = copySamples(cost, costAt, costs, scratch);
    if (bad >= 0) return fail(BAD_SAMPLE, bad);
    quartilesInPlace(scratch, costs, row);
    bad = copySamples(dur, durAt, durs, scratch);
    if (bad >= 0) return fail(BAD_SAMPLE, -1 - bad);
    quartilesInPlace(scratch, durs, row + 16);
    const noCost: i32 = costs == 0 ? 1 : 0;
    const noDur: i32 = durs == 0 ? 1 : 0;
    store<i32>(row, noCost, 32);
    store<i32>(row, noDur, 36);
    store<i32>(row, noCost & noDur, 40);
    store<i32>(row, 0, 44);
    store<i32>(row, costs, 48);
    store<i32>(row, durs, 52);
  }
  return 0;
}
