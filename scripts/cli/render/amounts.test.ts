import { expect, test } from 'bun:test';
import { duration, money, moneyOrUnknown, range } from './amounts.ts';

test.each([
  [0, '$0'],
  [1, '$0.000001'],
  [150, '$0.000150'],
  [34_000, '$0.034'],
  [999_999, '$1.000'],
  [1_250_000, '$1.25'],
  [1_234_560_000, '$1234.56'],
])('money of %d micro-dollars is %s', (micros, text) => expect(money(micros)).toBe(text));

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [12_340, '12.3 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [3_599_700, '1 h 0 min'],
  [7_440_000, '2 h 4 min'],
])('duration of %d milliseconds is %s', (ms, text) => expect(duration(ms)).toBe(text));

test('unknown is unknown, never zero', () => {
  expect(moneyOrUnknown(null)).toBe('unknown');
  expect(moneyOrUnknown(0)).toBe('$0');
  expect(range(null, money)).toBe('unknown');
});

test('a range of one value is that value', () => {
  expect(range({ p25: 20_000, p75: 20_000 }, money)).toBe('$0.020');
  expect(range({ p25: 20_000, p75: 2_000_000 }, money)).toBe('$0.020–$2.00');
});
