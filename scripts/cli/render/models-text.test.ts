import { expect, test } from 'bun:test';
import { DEFAULT_MODELS } from '../../../services/runs/models/default-models.ts';
import { noPaint } from '../paint.ts';
import { modelsText } from './models-text.ts';

test('each model stands with its window, effort, media and exact prices, a dearer table below it', () => {
  const local = {
    ...{ id: 'local\u001b[31m', provider: 'house', contextTokens: 32_768, maxOutputTokens: 8_000 },
    ...{ effort: [], media: [], prices: null },
  };
  const prices = { inputMicrosPerMTok: 1, outputMicrosPerMTok: 0, cacheReadMicrosPerMTok: 10 };
  const cheap = { ...local, id: 'cheap', prices: { ...prices, cacheWriteMicrosPerMTok: 1_500_000 } };
  const items = [...DEFAULT_MODELS, local, cheap];
  const text = modelsText({ defaultModel: 'claude-sonnet-5-5', items }, noPaint);
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
  const line = (start: string) => lines.find((candidate) => candidate.startsWith(start));
  expect(line('claude-sonnet-5-5 *')).toBe(
    'claude-sonnet-5-5 * | anthropic | 1M | 128k | low medium high xhigh max | text image pdf | $2.00 | $10.00 | $0.10 | $2.50 | $4.00',
  );
  const haiku = lines.findIndex((candidate) => candidate.startsWith('claude-haiku-5-5'));
  expect(lines[haiku]).toEndWith('$0.10 | $0.50 | $0.01 | $0.125 | $0.20');
  expect(lines[haiku + 1]).toBe(' | prompts over 100k | $0.50 | $2.50 | $0.05 | $0.625 | $1.00');
  expect(line('local')).toEndWith(
    '32768 | 8k | none | text | unknown | unknown | unknown | unknown | unknown',
  );
  expect(text).not.toContain('\u001b');
  expect(line('cheap')).toEndWith('$0.000001 | $0.00 | $0.00001 | $1.50 | unknown');
});
