import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inOneLine, quoted, withoutMentions } from './foreign-text.ts';

const seen = (text: string) => text.replaceAll('\u200B', '|');

describe('without mentions', () => {
  test.each([
    ['ask @everyone and @acme/team', 'ask @|everyone and @|acme/team'],
    ['`@x` \\@y &#64;z &#x40;z &commat;z @&#97;da', '`@|x` \\@|y &#64;|z &#x40;|z &commat;|z @|&#97;da'],
    ['@@ -1 +1 @@ a @ b', '@@ -1 +1 @@ a @ b'],
    ['```suggestion\n@Input() x;\n```\n@ada', '```suggestion\n@Input() x;\n```\n@|ada'],
    ['~~~ts\n@A\n```\n@B\n  ~~~~ \n@ada', '~~~ts\n@A\n```\n@B\n  ~~~~ \n@|ada'],
    ['``` a`b\n@ada', '``` a`b\n@|ada'],
    // None of these fences is surely one, or surely open.
    ['- x\n  ```\ny\n```\n@ada', '- x\n  ```\ny\n```\n@|ada'],
    ['<div>\n```\n@ada', '<div>\n```\n@|ada'],
    ['> ```\n```\n@ada', '> ```\n```\n@|ada'],
    ['a\r```\r\n@B\r```\r@ada', 'a\n```\n@B\n```\n@|ada'],
  ])('%j', (given, shown) => {
    expect(seen(withoutMentions(given))).toBe(shown);
  });
});

describe('quoted', () => {
  test.each([
    ['<!-- a\n\nb', '> <|!-- a\n> \n> b'],
    ['<details>x</details> a < b <3', '> <|details>x<|/details> a < b <3'],
    ['```html\n<!-- @x -->', '> ```html\n> <!-- @x -->'],
    ['  ```\n<!--', '> ```\n> <!--'],
    ['x\n  ```\n<!--', '> x\n>   ```\n> <|!--'],
  ])('%j', (given, shown) => {
    expect(seen(quoted(given))).toBe(shown);
  });

  test('whatever it is given, each line stands in the quotation, and it is no longer than wanted', () => {
    const parts = fc.constantFrom(
      '```',
      '~~~',
      '\n',
      '\r',
      '<!--',
      '> ',
      '- ',
      '  ',
      'x',
      '@ada',
      '`',
      '<p>',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), fc.integer({ min: 60, max: 200 }), (list, limit) => {
        const text = quoted(`x${list.join('')}`, limit);
        expect(text.split(/[\r\n]/).every((line) => line.startsWith('> '))).toBe(true);
        expect(text.length).toBeLessThanOrEqual(limit + 60);
      }),
    );
    expect(quoted('a\nb\nc', 6)).toBe('> a\n> … (cut; the whole stands in Control Center)');
  });
});

test('one line stays one, and short', () => {
  expect(seen(inOneLine(' a\n\n<!-- b\0\u0085 @ada ', 100))).toBe('a <|!-- b @|ada');
  expect(inOneLine('🦔🦔', 1)).toBe('\uFFFD…');
});
