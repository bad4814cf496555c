import { expect, test } from 'bun:test';
import { Fault } from '../kit/fault.ts';
import { Attempts } from './attempts.ts';

let nowMs = 0;
const fresh = () => new Attempts(() => nowMs);

/** Null when it was let through, else for how long it is not. */
function tried(attempts: Attempts, address: string | null): number | null {
  try {
    attempts.take(address);
    return null;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'too_many_requests') throw error;
    return Number(error.detail.retryAfterMs);
  }
}

test('an address fails ten times a minute, and another is not held up by it', () => {
  const attempts = fresh();
  for (let i = 0; i < 10; i++) {
    nowMs = i * 1_000;
    expect(tried(attempts, '127.0.0.1')).toBeNull();
  }
  expect(tried(attempts, '127.0.0.1')).toBe(51_000);
  expect(tried(attempts, null)).toBeNull();
  nowMs = 60_000;
  expect(tried(attempts, '127.0.0.1')).toBeNull();
  expect(tried(attempts, '127.0.0.1')).toBe(1_000);
});

test('all together fail fifty times a minute', () => {
  const attempts = fresh();
  for (let i = 0; i < 50; i++) expect(tried(attempts, `10.0.0.${i}`)).toBeNull();
  expect(tried(attempts, '10.0.1.1')).toBe(60_000);
  nowMs += 60_000;
  expect(tried(attempts, '10.0.1.1')).toBeNull();
});

test('one that is under way counts, and one that succeeded does not', () => {
  const attempts = fresh();
  const takeBack = Array.from({ length: 10 }, () => attempts.take('a'));
  expect(tried(attempts, 'a')).not.toBeNull();
  takeBack[3]?.();
  expect(tried(attempts, 'a')).toBeNull();
  expect(tried(attempts, 'a')).not.toBeNull();
});
