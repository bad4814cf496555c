import { expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { FrameAllowance, MOST_AT_ONCE, PER_SECOND } from './frame-allowance.ts';

test('so many come at once, and so many a second after', () => {
  let now = 1_000;
  const allowance = new FrameAllowance(() => now);
  const taken = (wanted: number) => Array.from({ length: wanted }, () => allowance.take()).filter(Boolean);
  expect(taken(MOST_AT_ONCE + 10).length).toBe(MOST_AT_ONCE);
  now += 1_000;
  expect(taken(PER_SECOND + 10).length).toBe(PER_SECOND);
  now += 3_600_000;
  expect(taken(2 * MOST_AT_ONCE).length).toBe(MOST_AT_ONCE);
});

test('whatever the pauses, no more come than that', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500), { maxLength: 600 }), (pauses) => {
      let now = 0;
      const allowance = new FrameAllowance(() => now);
      let taken = 0;
      for (const pause of pauses) {
        now += pause;
        if (allowance.take()) taken++;
      }
      return taken <= MOST_AT_ONCE + (now / 1_000) * PER_SECOND + 1e-6;
    }),
    { numRuns: 50 },
  );
});
