import type { TokenUsage } from '../harness/journal.ts';

/** Micro-dollars for a million tokens of each kind. */
export interface ModelPrices {
  inputMicrosPerMTok: number;
  outputMicrosPerMTok: number;
  cacheReadMicrosPerMTok: number;
  cacheWriteMicrosPerMTok: number;
}

const TOKENS_PER_PRICE = 1_000_000;

/** Micro-dollars of one answer, rounded half up once; null when the price is unknown. */
export function costMicros(usage: TokenUsage, prices: ModelPrices | null): number | null {
  if (prices === null) return null;
  const total =
    usage.input * prices.inputMicrosPerMTok +
    usage.output * prices.outputMicrosPerMTok +
    usage.cacheRead * prices.cacheReadMicrosPerMTok +
    usage.cacheWrite * prices.cacheWriteMicrosPerMTok;
  return Math.floor((total + TOKENS_PER_PRICE / 2) / TOKENS_PER_PRICE);
}

/** The most a call can cost: its whole prompt at the dearer of the two input prices, and every output token allowed. */
export function upperBoundMicros(
  inputTokens: number,
  maxTokens: number,
  prices: ModelPrices | null,
): number | null {
  if (prices === null) return null;
  const inputPrice = Math.max(prices.inputMicrosPerMTok, prices.cacheWriteMicrosPerMTok);
  const total = inputTokens * inputPrice + maxTokens * prices.outputMicrosPerMTok;
  return Math.ceil(total / TOKENS_PER_PRICE);
}
