import { fail, OUT_OF_MEMORY } from "./status";

// Typed access to columns: `column` is the address of element 0.

// @ts-ignore: decorator
@inline export function geti(column: usize, at: i32): i32 {
  return load<i32>(column + (<usize>at << 2));
}
// @ts-ignore: decorator
@inline export function seti(column: usize, at: i32, value: i32): void {
  store<i32>(column + (<usize>at << 2), value);
}
// @ts-ignore: decorator
@inline export function getf(column: usize, at: i32): f64 {
  return load<f64>(column + (<usize>at << 3));
}
// @ts-ignore: decorator
@inline export function setf(column: usize, at: i32, value: f64): void {
  store<f64>(column + (<usize>at << 3), value);
}

/**
 * Makes the one arena at least `bytes` long and returns its 16-aligned base, which never moves. The size comes as f64 and
 * is added up in u64, since a u32 sum would wrap and pass.
 */
export function reserve(bytes: f64): i32 {
  if (!(bytes >= 0 && bytes <= 4294967296.0)) return fail(OUT_OF_MEMORY, 0);
  const base = (__heap_base + 15) & ~15;
  const end = <u64>base + <u64>bytes;
  const have = <u64>(<u32>memory.size()) << 16;
  if (end > have) {
    const pages = (end - have + 0xffff) >>> 16;
    if (pages > 65535 || memory.grow(<i32>pages) < 0) return fail(OUT_OF_MEMORY, 0);
  }
  return <i32>base;
}
