import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TokenUsage } from '../harness/journal.ts';
import { costMicros, type ModelPrices, upperBoundMicros } from './price.ts';

const SONNET: ModelPrices = {
  inputMicrosPerMTok: 2_000_000,
  outputMicrosPerMTok: 10_000_000,
  cacheReadMicrosPerMTok: 100_000,
  cacheWriteMicrosPerMTok: 2_500_000,
};

function usage(input: number, output: number, cacheRead = 0, cacheWrite = 0): TokenUsage {
  return { input, output, cacheRead, cacheWrite };
}

describe('the cost of an answer', () => {
  test.each([
    [usage(0, 0), 0],
    [usage(1, 0), 2],
    [usage(1_000_000, 0), 2_000_000],
    [usage(0, 1_000_000), 10_000_000],
    [usage(12, 345, 67_890, 1_234), 13_348],
    [usage(0, 0, 4), 0],
    [usage(0, 0, 5), 1],
    [usage(0, 0, 14), 1],
    [usage(0, 0, 15), 2],
    // Rounded once: 0.5 + 2.5 is three micro-dollars, where a rounding for each kind would make four.
    [usage(0, 0, 5, 1), 3],
  ])('%j is %i micro-dollars', (tokens, cost) => {
    expect(costMicros(tokens, SONNET)).toBe(cost);
  });

  test('is unknown without a price', () => {
    expect(costMicros(usage(1, 1), null)).toBeNull();
    expect(upperBoundMicros(1, 1, null)).toBeNull();
  });

  test('is the exact rational, rounded half up', () => {
    const count = fc.nat({ max: 2_000_000 });
    const price = fc.nat({ max: 200_000_000 });
    fc.assert(
      fc.property(
        fc.tuple(count, count, count, count),
        fc.tuple(price, price, price, price),
        (tokens, prices) => {
          const [input, output, cacheRead, cacheWrite] = tokens;
          const exact = tokens.reduce((sum, n, kind) => sum + BigInt(n) * BigInt(prices[kind] ?? 0), 0n);
          const table = {
            inputMicrosPerMTok: prices[0],
            outputMicrosPerMTok: prices[1],
            cacheReadMicrosPerMTok: prices[2],
            cacheWriteMicrosPerMTok: prices[3],
          };
          const cost = costMicros({ input, output, cacheRead, cacheWrite }, table);
          expect(cost).toBe(Number((exact + 500_000n) / 1_000_000n));
        },
      ),
    );
  });

  test('never passes the bound that was reserved for it', () => {
    const count = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(count, count, count, count, (input, output, cacheRead, cacheWrite) => {
        const bound = upperBoundMicros(input + cacheRead + cacheWrite, output, SONNET) ?? 0;
        expect(costMicros({ input, output, cacheRead, cacheWrite }, SONNET)).toBeLessThanOrEqual(bound);
      }),
    );
  });
});
