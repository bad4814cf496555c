import { describe, expect, test } from 'bun:test';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { pageText } from './page-text.ts';

const quiet = new AbortController().signal;

function page(body: string | Uint8Array, contentType: string) {
  const facts = { url: new URL('https://docs.test/guide/start'), redirects: 0, status: 200, isCut: false };
  return pageText({ ...facts, bytes: Buffer.from(body), contentType }, quiet);
}

const HTML = `<!doctype html><html><head><title>The  guide</title><style>p{color:red}</style>
<script>alert("no")</script></head><body><h1>Start</h1>
<p>Read <a href="/api?x=1">the API</a>, <a href="#here">below</a>, <a href="javascript:x()">that</a>.</p>
<img src="../a (1).png" alt="A picture"><img src="data:image/png;base64,AAAA" alt="inline">
<table><thead><tr><th>Name</th><th>What</th></tr></thead><tbody><tr><td>a|b</td><td><b>bold</b></td></tr></tbody></table>
<pre><code class="language-ts">const a = 1;
  b();</code></pre><ul><li>one</li><li>two</li></ul></body></html>`;

test('HTML becomes Markdown with whole addresses, without what is never shown', async () => {
  const { text, kind } = await page(HTML, 'text/html; charset=utf-8');
  expect(kind).toBe('as Markdown');
  const parts = [
    ...['Title: The guide', '# Start', '[the API](https://docs.test/api?x=1), below, that.'],
    ...[
      '![A picture](https://docs.test/a%20%281%29.png)',
      '| Name | What |\n| --- | --- |\n| a\\|b | **bold** |',
    ],
    ...['```ts\nconst a = 1;\n  b();\n```', '-   one'],
  ];
  for (const part of parts) expect(text).toContain(part);
  for (const absent of ['color:red', 'alert', 'javascript:', 'base64', '(#here)'])
    expect(text).not.toContain(absent);
});

test.each([
  ['text/plain', 'plain'],
  ['text/markdown; charset=UTF-8', '# <b>as is</b>'],
  ['application/json', '{"a":1}'],
  ['application/vnd.api+json', '{"a":1}'],
  ['image/svg+xml', '<svg/>'],
  ['application/octet-stream', 'export const a = "é";'],
  ['', 'no type'],
])('%s is given as it is', async (contentType, text) => {
  expect(await page(text, contentType)).toEqual({ text, kind: 'as it is' });
});

test('a page without a type that begins as HTML is one', async () => {
  expect((await page('<!DOCTYPE html><p>x</p>', '')).text).toBe('x');
});

test.each<[string, Uint8Array, string]>([
  ['text/plain; charset=iso-8859-1', new Uint8Array([0x66, 0xfc, 0x72]), 'für'],
  ['text/plain; charset="shift_jis"', new Uint8Array([0x93, 0xfa]), '日'],
  ['text/plain', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'a'],
  ['text/html', Buffer.from('<meta charset="windows-1252"><p>\x80</p>', 'latin1'), '€'],
])('%s is read in its character set', async (contentType, bytes, text) => {
  expect((await page(bytes, contentType)).text).toBe(text);
});

test.each<[string, Uint8Array | string, RegExp]>([
  ['application/zip', 'PK', /application\/zip/],
  ['video/mp4', 'x', /video\/mp4/],
  ['application/octet-stream', new Uint8Array([1, 0, 2]), /cannot be shown/],
  ['', new Uint8Array([0xc3, 0x28]), /of no known type/],
  ['text/plain; charset=klingon', 'x', /character set klingon/],
])('%s is refused by name', async (contentType, bytes, message) => {
  const refused = page(bytes, contentType);
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
});

describe('hostile HTML', () => {
  test('is ended by its thread, and the server goes on meanwhile', async () => {
    let beats = 0;
    const beat = setInterval(() => (beats += 1), 10);
    const endless = htmlToMarkdown('<div>'.repeat(900_000), 'https://a.test/', quiet, 1_000);
    await expect(endless).rejects.toMatchObject({ code: 'timeout' });
    clearInterval(beat);
    expect(beats).toBeGreaterThan(40);
    expect(await htmlToMarkdown('<p>next</p>', 'https://a.test/', quiet)).toEqual({
      markdown: 'next',
      isCut: false,
    });
  });

  test('waits its turn, and a cancel does not hold the next one up', async () => {
    const stop = new AbortController();
    const stuck = Array.from({ length: 3 }, () =>
      htmlToMarkdown('<div>'.repeat(900_000), 'https://a.test/', stop.signal).catch(
        (error: unknown) => error,
      ),
    );
    const next = htmlToMarkdown('<p>next</p>', 'https://a.test/', quiet);
    stop.abort(new Error('stopped'));
    expect((await next).markdown).toBe('next');
    for (const error of await Promise.all(stuck)) expect(String(error)).toContain('stopped');
  });

  test('that is very long is read from its beginning, and said to be cut', async () => {
    const { markdown, isCut } = await htmlToMarkdown(
      '<p>word</p>'.repeat(100_000),
      'https://a.test/',
      quiet,
      30_000,
    );
    expect(isCut).toBe(true);
    expect(markdown.startsWith('word\n\nword')).toBe(true);
  }, 30_000);
});
