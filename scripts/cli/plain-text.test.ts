import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { cutTo, plainJson, plainLine, plainText } from './plain-text.ts';

test('escape sequences, carriage returns and reordering marks are made visible', () => {
  expect(plainText('a\u001b[31mred\u001b]52;c;x\u0007')).toBe('a␛[31mred␛]52;c;x␇');
  expect(plainText('ok\rFAKE')).toBe('ok␍FAKE');
  expect(plainText('a\u202eb\u009bc')).toBe('a\\u202eb\\u009bc');
  expect(plainText('two\r\nlines\tand a tab')).toBe('two\nlines\tand a tab');
});

test('no text gets a control character through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainText(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(plainLine(text, 40)).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('JSON holds the same value and nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = plainJson(value, 2);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('a cut text is never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(Bun.stringWidth(cutTo(text, width))).toBeLessThanOrEqual(Math.max(width, 1));
    }),
  );
});
