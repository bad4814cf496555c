// xoshiro128** seeded by splitmix32: integers only, so that every engine and the reference draw the same numbers.

let s0: u32 = 0;
let s1: u32 = 0;
let s2: u32 = 0;
let s3: u32 = 0;

let mixing: u32 = 0;
function splitmix(): u32 {
  mixing += 0x9e3779b9;
  let z = mixing;
  z = (z ^ (z >>> 16)) * 0x21f0aaad;
  z = (z ^ (z >>> 15)) * 0x735a2d97;
  return z ^ (z >>> 15);
}

export function seedRandom(seed: u32): void {
  mixing = seed;
  s0 = splitmix();
  s1 = splitmix();
  s2 = splitmix();
  s3 = splitmix();
}

// @ts-ignore: decorator
@inline export function random(): u32 {
  const result = rotl<u32>(s1 * 5, 7) * 9;
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  s2 ^= t;
  s3 = rotl<u32>(s3, 11);
  return result;
}

/** A whole number below count, by the high half of a 64-bit product. */
// @ts-ignore: decorator
@inline export function below(count: i32): i32 {
  return <i32>((<u64>random() * <u64>count) >>> 32);
}
