import { expect, test } from 'bun:test';
import { nextBack, stillAway, tomorrow } from './away-times.ts';

test('what is put off comes back in its time; what was put aside stays away', () => {
  const byId = { apr_1: 100, apr_2: 200, run_1: null };
  expect(nextBack(byId)).toBe(100);
  expect(stillAway(byId, 99)).toEqual(byId);
  expect(stillAway(byId, 100)).toEqual({ apr_2: 200, run_1: null });
  expect(nextBack(stillAway(byId, 200))).toBeNull();
});

test('tomorrow is nine in the morning, also over the end of a month and just after midnight', () => {
  const at = (day: Date) => new Date(tomorrow(day)).toString().slice(4, 21);
  expect(at(new Date(2026, 0, 31, 23, 59))).toBe('Feb 01 2026 09:00');
  expect(at(new Date(2026, 11, 31, 0, 1))).toBe('Jan 01 2027 09:00');
});
