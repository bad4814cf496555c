import { BAD_ARGUMENT, BAD_INDEX, fail } from "./status";

// Facts of one tool against one profile, a byte each.
// @ts-ignore: decorator
@inline const LISTED: u32 = 1;
// @ts-ignore: decorator
@inline const DENIED: u32 = 2;
// @ts-ignore: decorator
@inline const PINNED: u32 = 4;
// @ts-ignore: decorator
@inline const IN_PARENT: u32 = 8;

/**
 * Which of n tools are on the surface: writes 1 or 0 a byte to out, returns how many are.
 * tier: u8 a tool, 0 read to 2 execute; effects: u32 bit set a tool; facts: u8 a tool. hasAllow: 1 when the profile has an
 * allow-list, which holds write tier and up.
 */
export function surface(
  n: i32, tier: usize, effects: usize, facts: usize, maxTier: i32, deniedEffects: u32, hasAllow: i32, out: usize,
): i32 {
  if (n < 0 || <u32>maxTier > 2) return fail(BAD_ARGUMENT, 0);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const t = <i32>load<u8>(tier + i);
    if (t > 2) return fail(BAD_INDEX, i);
    const fact = <u32>load<u8>(facts + i);
    const harmless = (load<u32>(effects + (<usize>i << 2)) & deniedEffects) == 0;
    const listed = !hasAllow || t == 0 || (fact & LISTED) != 0;
    const passes = t <= maxTier && harmless && listed && (fact & DENIED) == 0;
    const on = (passes || (fact & PINNED) != 0) && (fact & IN_PARENT) != 0;
    store<u8>(out + i, on ? 1 : 0);
    count += on ? 1 : 0;
  }
  return count;
}
