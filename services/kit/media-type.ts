/** What can be looked at, by a model as by a browser. */
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** What a file's beginning says it is; null for everything that is none of these. 16 bytes are enough. */
export function mediaTypeOf(head: Uint8Array): MediaType | null {
  const text = Buffer.from(head.subarray(0, 16)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF....WEBP/s.test(text)) return 'image/webp';
  return text.startsWith('%PDF-') ? 'application/pdf' : null;
}
