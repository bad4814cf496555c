import { expect, test } from 'bun:test';
import { microsOf, moneyText } from './money-text.ts';

test.each([
  ['25', 25_000_000],
  ['12.50', 12_500_000],
  ['12,5', 12_500_000],
  ['$1,000', 1_000_000_000],
  ['0.000001', 1],
])('%p is a sum', (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

test.each(['', '0', '-1', 'ten', '1.2.3', '0.0000001', '1e3'])('%p is none', (text) => {
  expect(microsOf(text)).toBeNull();
});

test('what is shown is read as the same sum', () => {
  for (const micros of [1, 12_500_000, 25_000_000, 999_999]) expect(microsOf(moneyText(micros))).toBe(micros);
});
