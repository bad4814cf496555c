import { expect, test } from 'bun:test';
import { mediaTypeOf } from './media-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('a file is what its beginning says, and nothing else', () => {
  const heads = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\n\r\0\x01WEBPVP8 ', '%PDF-1.7'];
  expect(heads.map((head) => mediaTypeOf(bytes(head)))).toEqual([
    ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const),
  ]);
  for (const other of ['', '\x89PNG', ' %PDF-1.7', '<svg>', 'RIFF....WAVE', 'GIF90a', 'see %PDF-'])
    expect([other, mediaTypeOf(bytes(other))]).toEqual([other, null]);
});
