import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Parsed, parsed } from './blocks.ts';
import { safeLink } from './safe-link.ts';

// As they are loaded, the parts read the language that the person chose, listen for keys, and make the place of notices.
Object.assign(globalThis, {
  localStorage: { getItem: () => 'en', setItem: () => undefined },
  document: { documentElement: {}, createElement: () => ({}), body: { append: () => undefined } },
  window: new EventTarget(),
});
const { default: MarkdownBody } = await import('./markdown-body.tsx');

const html = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(MarkdownBody, { text, isStreaming }));

test('what people write is what they see', () => {
  expect(html('**bold** and *it* `x<y` ~~no~~')).toContain(
    '<strong>bold</strong> and <em>it</em> <code>x&lt;y</code> <del>no</del>',
  );
  expect(html('# One\n\n## Two')).toMatch(/<h3[^>]*>One<\/h3><h4[^>]*>Two<\/h4>/);
  expect(html('3. a\n4. b')).toContain('<ol start="3"><li>a</li><li>b</li></ol>');
  expect(html('one\ntwo')).toContain('one<br/>two');
  expect(html('a < b & "c" &amp; d')).toContain('a &lt; b &amp; &quot;c&quot; &amp; d');
  expect(html('| a | b |\n|--|--:|\n| 1 | 2 |')).toContain('<td data-align="right">2</td>');
});

test('raw HTML is text, links lead only outwards, pictures are links', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x">b</b>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '![p](https://example.com/p.png)',
    '[x](vbscript:x "t")',
    '<https://example.com/"onmouseover="x>',
    '[file](/api/secrets)',
  ].join('\n\n');
  const out = html(hostile);
  expect(out).not.toMatch(/<(script|img|b |iframe)/i);
  for (const [, href] of out.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?|mailto):/);
  expect(out).toContain('href="https://example.com/p.png"');
  expect(out.match(/rel="noopener noreferrer nofollow"/g)?.length).toBe(out.match(/<a /g)?.length ?? 0);
});

test('no address but of three schemes is a link', () => {
  expect(safeLink('https://example.com/a b')).toBe('https://example.com/a%20b');
  expect(safeLink('mailto:a@b.c')).toBe('mailto:a@b.c');
  for (const href of [
    'javascript:x',
    ' javascript:x',
    'JAVASCRIPT:x',
    '/path',
    'file:///etc',
    '//x',
    '',
    'blob:x',
  ])
    expect(safeLink(href)).toBeNull();
});

test('whatever is written, it is shown without an element that Markdown does not make', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      '`',
      '```',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '!',
      '|',
      '\n',
      '- ',
      '1. ',
      '# ',
      '&',
      '<script>',
    ],
    ...['javascript:', 'https://e.com', ' ', 'word', '[x]', '    ', '\\', '~~', '> ', '<!--', '</p>'],
  );
  const known =
    /^(div|p|h[3-6]|strong|em|del|code|pre|figure|figcaption|section|span|button|svg|path|rect|circle|a|br|hr|ul|ol|li|input|blockquote|table|thead|tbody|tr|th|td)$/;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, isStreaming) => {
      for (const [, tag = ''] of html(pieces.join(''), isStreaming).matchAll(/<([a-zA-Z][^\s/>]*)/g))
        expect(tag).toMatch(known);
    }),
    { numRuns: 300 },
  );
});

test('what has only begun is shown as if it were finished', () => {
  expect(html('a **bol', true)).toContain('<strong>bol</strong>');
  expect(html('```ts\nconst x', true)).toContain('const x');
  for (const begun of ['| a | b', '| a | b |\n', '| a | b |\n| --- | -'])
    expect(html(`Look:\n\n${begun}`, true)).not.toContain('|');
  expect(html('| a | b |\n| --- | --- |\n| one', true)).toContain('<td>one</td>');
});

test('a text that grows is read as it is read at once, and what stands before its end is not read again', () => {
  const piece = fc.constantFrom(
    ...[
      'word ',
      '\n\n',
      '\n',
      '- item\n',
      '1. one\n',
      '> q\n',
      '```\n',
      '# H\n',
      '**b** ',
      '| a | b |\n|--|--|\n',
    ],
    ...['| 1 | 2 |\n', '    ', '---\n', '`c`', '\r\n'],
  );
  const raws = ({ blocks }: Parsed) => blocks.map(({ token }) => token.raw);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      let text = '';
      let now: Parsed | undefined;
      for (const next of pieces) {
        text += next;
        const before = now;
        now = parsed(text, true, before);
        for (const block of before?.blocks.slice(0, -2) ?? []) expect(now.blocks).toContain(block);
      }
      if (now) expect(raws(now)).toEqual(raws(parsed(text, true)));
    }),
    { numRuns: 200 },
  );
});
