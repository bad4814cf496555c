import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { atPace } from './estimates-pace.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('the first is done at once, all of the time after it once at its end, and nothing that nobody asked for', () => {
  let done = 0;
  const paced = atPace(() => done++, 10_000);
  for (let i = 0; i < 50; i++) paced.ask();
  expect(done).toBe(1);
  jest.advanceTimersByTime(10_000);
  expect(done).toBe(2);
  jest.advanceTimersByTime(60_000);
  expect(done).toBe(2);
  paced.ask();
  paced.ask();
  paced.stop();
  jest.advanceTimersByTime(60_000);
  expect(done).toBe(3);
});
