import { expect, test } from 'bun:test';
import { lineOf } from './text.ts';

test('a text becomes one line that other services take as a title, whatever is in it', () => {
  expect(lineOf('  Build\n\tthe \u202ething\u200b\u{e0041} now ')).toBe('Build the thing now');
  expect(lineOf('x'.repeat(300), 10)).toBe('xxxxxxxxx…');
  expect(lineOf('Deploy \u{1f469}\u200d\u{1f4bb}')).toBe('Deploy \u{1f469}\u200d\u{1f4bb}');
});
