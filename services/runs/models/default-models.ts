import type { ModelEntry } from './catalogue.ts';
import type { ModelPrices, PriceTable } from './price.ts';

/** The model that balances speed, price and strength. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const MICROS_PER_CENT = 10_000;

/** List prices in cents for a million tokens: input, output, cache read, cache write of five minutes and of an hour. */
function cents(input: number, output: number, read: number, write: number, write1h: number): PriceTable {
  const micros = (price: number): number => Math.round(price * MICROS_PER_CENT);
  return {
    inputMicrosPerMTok: micros(input),
    outputMicrosPerMTok: micros(output),
    cacheReadMicrosPerMTok: micros(read),
    cacheWriteMicrosPerMTok: micros(write),
    cacheWrite1hMicrosPerMTok: micros(write1h),
  };
}

function claude(id: string, prices: ModelPrices, overrides: Partial<ModelEntry> = {}): ModelEntry {
  return {
    id,
    provider: 'anthropic',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    effort: EFFORTS,
    media: ['image', 'pdf'],
    prices,
    ...overrides,
  };
}

/** List prices of November 2026; models.json states others. */
export const DEFAULT_MODELS: readonly ModelEntry[] = [
  claude('claude-sonnet-5-5', cents(200, 1_000, 10, 250, 400)),
  claude('claude-opus-5-5', cents(400, 2_000, 20, 500, 800)),
  claude('claude-haiku-5-5', {
    ...cents(10, 50, 1, 12.5, 20),
    above: { inputTokens: 100_000, prices: cents(50, 250, 5, 62.5, 100) },
  }),
  claude('claude-fable-5-2', cents(800, 4_000, 20, 1_000, 1_600)),
  claude('claude-fable-5-1', cents(1_000, 5_000, 25, 1_250, 2_000)),
  claude('claude-sonnet-5', cents(200, 1_000, 20, 250, 400)),
  claude('claude-opus-5', cents(500, 2_500, 50, 625, 1_000)),
  claude('claude-haiku-4-5', cents(100, 500, 10, 125, 200), {
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    effort: [],
  }),
];
