// Kernels never throw: a status below zero names the fault and `detail` says where it is.

// @ts-ignore: decorator
@inline export const CYCLE: i32 = -1; // detail: a node on the cycle
// @ts-ignore: decorator
@inline export const BAD_INDEX: i32 = -2; // detail: position in the column
// @ts-ignore: decorator
@inline export const BAD_SAMPLE: i32 = -3; // detail: position of the sample
// @ts-ignore: decorator
@inline export const BAD_OFFSETS: i32 = -4; // detail: row
// @ts-ignore: decorator
@inline export const OUT_OF_MEMORY: i32 = -5;
// @ts-ignore: decorator
@inline export const BAD_ARGUMENT: i32 = -6; // detail: number of the argument or position

let lastDetail: i32 = 0;

export function detail(): i32 {
  return lastDetail;
}

export function fail(code: i32, at: i32): i32 {
  lastDetail = at;
  return code;
}
