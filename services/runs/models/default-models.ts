import type { ModelEntry } from './catalogue.ts';
import type { ModelPrices } from './price.ts';

/** The model that balances speed, price and strength. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** List prices in cents for a million tokens: input, output, cache read, cache write of five minutes. */
function cents(input: number, output: number, cacheRead: number, cacheWrite: number): ModelPrices {
  const [inputMicros, outputMicros, readMicros, writeMicros] = [input, output, cacheRead, cacheWrite].map(
    (price) => price * 10_000,
  ) as [number, number, number, number];
  return {
    inputMicrosPerMTok: inputMicros,
    outputMicrosPerMTok: outputMicros,
    cacheReadMicrosPerMTok: readMicros,
    cacheWriteMicrosPerMTok: writeMicros,
  };
}

function claude(id: string, prices: ModelPrices | null, overrides: Partial<ModelEntry> = {}): ModelEntry {
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

/** Null prices: not one price a token (claude-haiku-5-5 costs more past 100,000 tokens of prompt), or not known for sure. */
export const DEFAULT_MODELS: readonly ModelEntry[] = [
  claude('claude-sonnet-5-5', cents(200, 1_000, 10, 250)),
  claude('claude-opus-5-5', cents(400, 2_000, 20, 500)),
  claude('claude-haiku-5-5', null),
  claude('claude-fable-5-2', null),
  claude('claude-fable-5-1', cents(1_000, 5_000, 25, 1_250)),
  claude('claude-sonnet-5', cents(200, 1_000, 20, 250)),
  claude('claude-opus-5', cents(500, 2_500, 50, 625)),
  claude('claude-haiku-4-5', cents(100, 500, 10, 125), {
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    effort: [],
  }),
];
