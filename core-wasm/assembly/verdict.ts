import { BAD_ARGUMENT, fail } from './status';

/**
 * The most severe of base and up to 32 axes: 0 ship, 1 hold, 2 block, two bits an axis, 16 axes a word. Code 3 is an
 * error, never a pass.
 */
export function verdict(base: i32, low: i32, high: i32): i32 {
  if (<u32>base > 2) return fail(BAD_ARGUMENT, 0);
  if (((low & (low >>> 1)) | (high & (high >>> 1))) & 0x55555555) return fail(BAD_ARGUMENT, 1);
  const any = low | high;
  const axes = any & 0xaaaaaaaa ? 2 : any & 0x55555555 ? 1 : 0;
  return max(base, axes);
}
