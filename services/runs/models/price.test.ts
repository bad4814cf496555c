import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TokenUsage } from '../harness/journal.ts';
import { DEFAULT_MODELS } from './default-models.ts';
import { costMicros, type ModelPrices, type PriceTable, upperBoundMicros } from './price.ts';

const SONNET: ModelPrices = {
  inputMicrosPerMTok: 2_000_000,
  outputMicrosPerMTok: 10_000_000,
  cacheReadMicrosPerMTok: 100_000,
  cacheWriteMicrosPerMTok: 2_500_000,
};
const WITH_HOUR: ModelPrices = { ...SONNET, cacheWrite1hMicrosPerMTok: 4_000_000 };
const TIERED: ModelPrices = {
  ...WITH_HOUR,
  above: {
    inputTokens: 1_000,
    prices: {
      inputMicrosPerMTok: 10_000_000,
      outputMicrosPerMTok: 50_000_000,
      cacheReadMicrosPerMTok: 500_000,
      cacheWriteMicrosPerMTok: 12_500_000,
      cacheWrite1hMicrosPerMTok: 20_000_000,
    },
  },
};

function usage(
  input: number,
  output: number,
  cacheRead = 0,
  cacheWrite = 0,
  cacheWrite1h?: number,
): TokenUsage {
  return { input, output, cacheRead, cacheWrite, ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }) };
}

const count = fc.nat({ max: 2_000_000 });
const price = fc.nat({ max: 200_000_000 });
const table: fc.Arbitrary<PriceTable> = fc
  .tuple(price, price, price, price, price)
  .map(([input, output, read, write, hour]) => ({
    inputMicrosPerMTok: input,
    outputMicrosPerMTok: output,
    cacheReadMicrosPerMTok: read,
    cacheWriteMicrosPerMTok: write,
    cacheWrite1hMicrosPerMTok: hour,
  }));
const prices: fc.Arbitrary<ModelPrices> = fc
  .tuple(table, fc.option(fc.record({ inputTokens: count, prices: table }), { nil: undefined }))
  .map(([base, above]) => ({ ...base, above }));
/** Input, output, read, written for minutes, written for an hour. */
const tokens = fc.tuple(count, count, count, count, count);

function usageOf([input, output, read, minutes, hour]: [number, number, number, number, number]): TokenUsage {
  return usage(input, output, read, minutes + hour, hour);
}

/** The sum as a reader of the price list would write it down, in millionths of a micro-dollar. */
function exactOf(
  [input, output, read, minutes, hour]: [number, number, number, number, number],
  { above, ...base }: ModelPrices,
): bigint {
  const { prices: dear, inputTokens = Number.POSITIVE_INFINITY } = above ?? {};
  const from = input + read + minutes + hour > inputTokens && dear ? dear : base;
  const times = (n: number, micros = 0) => BigInt(n) * BigInt(micros);
  return (
    times(input, from.inputMicrosPerMTok) +
    times(output, from.outputMicrosPerMTok) +
    times(read, from.cacheReadMicrosPerMTok) +
    times(minutes, from.cacheWriteMicrosPerMTok) +
    times(hour, from.cacheWrite1hMicrosPerMTok)
  );
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
  ])('%j is %i micro-dollars', (given, cost) => {
    expect(costMicros(given, SONNET)).toBe(cost);
  });

  test('is unknown without a price', () => {
    expect(costMicros(usage(1, 1), null)).toBeNull();
    expect(upperBoundMicros(1, 1, null)).toBeNull();
  });

  test('counts what is kept for an hour at its own price, as a part of what was written', () => {
    expect(costMicros(usage(0, 0, 0, 10, 4), WITH_HOUR)).toBe(6 * 2.5 + 4 * 4);
    expect(costMicros(usage(0, 0, 0, 10, 10), WITH_HOUR)).toBe(40);
    expect(costMicros(usage(0, 0, 0, 10, 99), WITH_HOUR)).toBe(40);
  });

  test('is unknown when something is kept for an hour and that has no price', () => {
    expect(costMicros(usage(1, 1, 0, 10, 1), SONNET)).toBeNull();
    expect(costMicros(usage(1, 1, 0, 10, 0), SONNET)).toBe(37);
  });

  test.each([
    // The size of a prompt is all of it, from the cache or not; its limit still belongs to the cheap side.
    [usage(1_000, 1), 2_010],
    [usage(1_001, 1), 10_060],
    [usage(0, 1, 1_000), 110],
    [usage(0, 1, 1_001), 551],
    [usage(1, 1, 500, 500), 10 + 50 + 250 + 6_250],
    [usage(1, 1_000_000), 10_000_002],
    [usage(0, 0, 0, 2_000, 1_000), 12_500 + 20_000],
  ])('past a prompt size the dearer table counts for all of %j: %i', (given, cost) => {
    expect(costMicros(given, TIERED)).toBe(cost);
  });

  test('is the exact rational, rounded half up', () => {
    fc.assert(
      fc.property(tokens, prices, (given, list) => {
        expect(costMicros(usageOf(given), list)).toBe(Number((exactOf(given, list) + 500_000n) / 1_000_000n));
      }),
    );
  });

  test('is exact where doubles are not', () => {
    const dear = { ...SONNET, inputMicrosPerMTok: 9_007_199_254_740_991 };
    expect(costMicros(usage(1_000_001, 0), dear)).toBe(
      Number((1_000_001n * 9_007_199_254_740_991n + 500_000n) / 1_000_000n),
    );
  });

  test('never passes the bound that was reserved for it, nor does a smaller prompt or answer', () => {
    fc.assert(
      fc.property(tokens, prices, count, count, (given, list, spareIn, spareOut) => {
        const [input, output, read, minutes, hour] = given;
        const bound = upperBoundMicros(input + read + minutes + hour + spareIn, output + spareOut, list);
        expect(costMicros(usageOf(given), list)).toBeLessThanOrEqual(bound ?? -1);
      }),
    );
  });

  test('the bound is one that a call can reach', () => {
    expect(upperBoundMicros(1_000, 10, SONNET)).toBe(2_500 + 100);
    expect(upperBoundMicros(1_000, 10, WITH_HOUR)).toBe(4_000 + 100);
    expect(upperBoundMicros(1_000, 10, TIERED)).toBe(4_000 + 100);
    expect(upperBoundMicros(1_001, 10, TIERED)).toBe(20_020 + 500);
    // A dearer table may still cost less in all than a prompt of just the limit.
    const cheaperAbove = {
      ...WITH_HOUR,
      above: { inputTokens: 1_000, prices: { ...SONNET, cacheWriteMicrosPerMTok: 0 } },
    };
    expect(upperBoundMicros(1_001, 0, cheaperAbove)).toBe(4_000);
  });
});

test('the built-in models cost what their price list says, to the micro-dollar', () => {
  const of = (id: string, given: TokenUsage) =>
    costMicros(given, DEFAULT_MODELS.find((model) => model.id === id)?.prices ?? null);
  expect(of('claude-sonnet-5-5', usage(1_000_000, 100_000, 1_000_000, 1_000_000, 400_000))).toBe(
    2_000_000 + 1_000_000 + 100_000 + 1_500_000 + 1_600_000,
  );
  expect(of('claude-haiku-5-5', usage(20_000, 1_000, 70_000, 10_000))).toBe(2_000 + 500 + 700 + 1_250);
  expect(of('claude-haiku-5-5', usage(20_001, 1_000, 70_000, 10_000))).toBe(10_001 + 2_500 + 3_500 + 6_250);
  expect(of('claude-fable-5-2', usage(1_000_000, 0, 1_000_000))).toBe(8_000_000 + 200_000);
  expect(of('claude-haiku-4-5', usage(0, 1_000_000))).toBe(5_000_000);
});
