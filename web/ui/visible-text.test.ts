import { expect, test } from 'bun:test';
import { visibleText } from './visible-text.ts';

test('what turns or hides text is shown by its number', () => {
  expect(visibleText('rm \u202etxt.a\u2069 \u200b\ufeff\u001b[2J\u{e0041}\rx')).toBe(
    'rm [U+202E]txt.a[U+2069] [U+200B][U+FEFF][U+001B][2J[U+E0041][U+000D]x',
  );
});

test('lines, tabs and every other letter stay as they are', () => {
  const text = 'a\tb\r\nc\n שלום é 👩‍💻';
  expect(visibleText(text)).toBe(text);
});
