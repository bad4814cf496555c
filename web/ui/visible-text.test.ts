import { expect, test } from 'bun:test';
import { visibleText } from './visible-text.ts';

test('what turns or hides text is shown by its number', () => {
  expect(visibleText('rm \u202etxt.a\u2069 \u200b\ufeff\u001b[2J\u{e0041}\rx')).toBe(
    'rm [U+202E]txt.a[U+2069] [U+200B][U+FEFF][U+001B][2J[U+E0041][U+000D]x',
  );
});

test('so is what hides in a command, and stays in an emoji', () => {
  expect(visibleText('rm\u3164a\u200d.sh b\ufe0f \u034f\u{e0100}')).toBe(
    'rm[U+3164]a[U+200D].sh b[U+FE0F] [U+034F]\u{e0100}',
  );
  const text = '❤\ufe0f 1\ufe0f\u20e3 می\u200cخواهم';
  expect(visibleText(text)).toBe(text);
});

test('lines, tabs and every other letter stay as they are', () => {
  const text = 'a\tb\r\nc\n שלום é 👩‍💻';
  expect(visibleText(text)).toBe(text);
});
