import type { ModelEntry } from '../../../services/runs/models/catalogue.ts';
import type { PriceTable } from '../../../services/runs/models/price.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-text.ts';
import { table } from './table.ts';

const MICROS_PER_DOLLAR = 1_000_000;

/** The models with their prices in dollars for a million tokens; a dearer table is a row below its model. */
export function modelsText(
  { defaultModel, items }: { defaultModel: string; items: readonly ModelEntry[] },
  paint: Paint,
): string {
  const columns = [
    { title: 'MODEL', max: 48 },
    { title: 'PROVIDER', max: 24 },
    ...['WINDOW', 'ANSWER'].map((title) => ({ title, align: 'right' as const })),
    { title: 'EFFORT', max: 40 },
    { title: 'READS' },
    ...['IN', 'OUT', 'CACHE', 'WRITE', 'WRITE 1H'].map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = items.flatMap((model) => rowsOf(model, model.id === defaultModel));
  const notes = [
    `* ${defaultModel}: the model of agents that name none.`,
    'Dollars for a million tokens. What has no price costs an unknown amount, and cannot run under a budget.',
  ];
  return `${table(columns, rows, 'No models.')}\n\n${paint.dim(notes.join('\n'))}`;
}

function rowsOf(model: ModelEntry, isDefault: boolean): string[][] {
  const facts = [
    `${plainLine(model.id, 200)}${isDefault ? ' *' : ''}`,
    plainLine(model.provider, 200),
    sizeText(model.contextTokens),
    sizeText(model.maxOutputTokens),
    plainLine(model.effort.join(' '), 200) || 'none',
    ['text', ...model.media].join(' '),
  ];
  const above = model.prices?.above;
  const row = [...facts, ...priceCells(model.prices)];
  if (above === undefined) return [row];
  const label = `  prompts over ${sizeText(above.inputTokens)}`;
  return [row, [label, ...facts.slice(1).map(() => ''), ...priceCells(above.prices)]];
}

function priceCells(prices: PriceTable | null): string[] {
  if (prices === null) return Array.from({ length: 5 }, () => 'unknown');
  return [
    prices.inputMicrosPerMTok,
    prices.outputMicrosPerMTok,
    prices.cacheReadMicrosPerMTok,
    prices.cacheWriteMicrosPerMTok,
    prices.cacheWrite1hMicrosPerMTok,
  ].map((micros) => (micros === undefined ? 'unknown' : dollars(micros)));
}

/** As exact as the price is, with at least two digits: `$2.00`, `$0.125`. */
function dollars(micros: number): string {
  const text = (micros / MICROS_PER_DOLLAR).toFixed(6);
  return `$${text.replace(/0{1,4}$/, '')}`;
}

/** `1M`, `128k`, `32768`. */
function sizeText(tokens: number): string {
  if (tokens % 1_000_000 === 0) return `${tokens / 1_000_000}M`;
  return tokens % 1_000 === 0 ? `${tokens / 1_000}k` : String(tokens);
}
