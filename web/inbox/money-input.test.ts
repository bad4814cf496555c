import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dollarsText, microsOf } from './money-input.ts';

test('amounts are read as people type them', () => {
  expect(microsOf('40')).toBe(40_000_000);
  expect(microsOf(' $12.50 ')).toBe(12_500_000);
  expect(microsOf('12,5 $')).toBe(12_500_000);
  expect(microsOf('0.000001')).toBe(1);
});

test('what is no amount is none, and nothing is made of it', () => {
  for (const text of ['', 'much', '-1', '1.2.3', '1e9', 'Infinity', '0.0000001', '9'.repeat(12)])
    expect(microsOf(text)).toBeNull();
});

test('an amount that was shown is read back as it was', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), (cents) => {
      const micros = cents * 10_000;
      expect(microsOf(dollarsText(micros))).toBe(micros);
    }),
  );
});
