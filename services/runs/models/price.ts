import type { TokenUsage } from '../harness/journal.ts';

/** Micro-dollars for a million tokens of each kind; whole numbers. */
export interface PriceTable {
  inputMicrosPerMTok: number;
  outputMicrosPerMTok: number;
  cacheReadMicrosPerMTok: number;
  /** Of what is kept for five minutes. */
  cacheWriteMicrosPerMTok: number;
  /** Of what is kept for an hour; left out: not known, and neither is the cost of an answer that reports such. */
  cacheWrite1hMicrosPerMTok?: number | undefined;
}

export interface ModelPrices extends PriceTable {
  /** Every token of a call costs this, answer included, when its prompt (what it read and wrote of the cache too) is longer. */
  above?: { inputTokens: number; prices: PriceTable } | undefined;
}

const TOKENS_PER_PRICE = 1_000_000n;

/**
 * Micro-dollars of one answer, rounded half up once; null when a price that it needs is unknown.
 * Counts are whole and not negative; the sum is exact however large they are.
 */
export function costMicros(usage: TokenUsage, prices: ModelPrices | null): number | null {
  if (prices === null) return null;
  const table = tableFor(usage.input + usage.cacheRead + usage.cacheWrite, prices);
  const forAnHour = Math.min(usage.cacheWrite1h ?? 0, usage.cacheWrite);
  if (forAnHour > 0 && table.cacheWrite1hMicrosPerMTok === undefined) return null;
  const total =
    product(usage.input, table.inputMicrosPerMTok) +
    product(usage.output, table.outputMicrosPerMTok) +
    product(usage.cacheRead, table.cacheReadMicrosPerMTok) +
    product(usage.cacheWrite - forAnHour, table.cacheWriteMicrosPerMTok) +
    product(forAnHour, table.cacheWrite1hMicrosPerMTok ?? 0);
  return Number((total + TOKENS_PER_PRICE / 2n) / TOKENS_PER_PRICE);
}

/**
 * The most that a call can cost whose prompt has at most `inputTokens` and whose answer at most `maxTokens`, rounded up:
 * the whole prompt at the dearest of the prices a prompt can have, under whichever table costs more.
 */
export function upperBoundMicros(
  inputTokens: number,
  maxTokens: number,
  prices: ModelPrices | null,
): number | null {
  if (prices === null) return null;
  const most = Math.ceil(inputTokens);
  const { above } = prices;
  const bounds =
    above === undefined || most <= above.inputTokens
      ? [boundUnder(prices, most, maxTokens)]
      : [boundUnder(prices, above.inputTokens, maxTokens), boundUnder(above.prices, most, maxTokens)];
  return Math.max(...bounds);
}

function tableFor(promptTokens: number, prices: ModelPrices): PriceTable {
  const { above } = prices;
  return above !== undefined && promptTokens > above.inputTokens ? above.prices : prices;
}

function boundUnder(table: PriceTable, inputTokens: number, maxTokens: number): number {
  const dearest = Math.max(
    table.inputMicrosPerMTok,
    table.cacheReadMicrosPerMTok,
    table.cacheWriteMicrosPerMTok,
    table.cacheWrite1hMicrosPerMTok ?? 0,
  );
  const total = product(inputTokens, dearest) + product(maxTokens, table.outputMicrosPerMTok);
  return Number((total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
}

// Millions of tokens at thousands of dollars leave the whole numbers that a double holds.
function product(tokens: number, microsPerMTok: number): bigint {
  return BigInt(tokens) * BigInt(microsPerMTok);
}
