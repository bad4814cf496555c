import { expect, test } from 'bun:test';
import { readDollars } from './approval-bar-dollars.ts';

test.each([
  ['12.50', 12_500_000],
  ['12,5', 12_500_000],
  ['$ 3', 3_000_000],
  ['3 $', 3_000_000],
  ['0.000001', 1],
])('%s is an amount', (text, micros) => {
  expect(readDollars(text)).toBe(micros);
});

test.each(['', '0', '-1', '1e9', '1.2345678', 'twelve', '1 000', 'NaN'])('%p is none', (text) => {
  expect(readDollars(text)).toBeNull();
});
