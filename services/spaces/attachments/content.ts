import { Fault } from '../../kit/fault.ts';
import { MEDIA_TYPES, mediaTypeOf } from '../../kit/media-type.ts';
import { invalidRequest } from '../../kit/validate.ts';
import { MAX_ATTACHMENT_BYTES } from './limits.ts';
import type { Attachment } from './schema.ts';

/** @throws Fault too_large, invalid_request for what is no base64 */
export function bytesOf(base64: string): Uint8Array {
  if (base64.length > Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4) throw tooLarge();
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_ATTACHMENT_BYTES) throw tooLarge();
  // The decoder passes over what it does not know; what says the same again had nothing else in it.
  if (bytes.toString('base64') === base64) return bytes;
  const message = 'must be base64 with its padding, of the alphabet with + and /, without line breaks';
  throw invalidRequest('json', [{ path: ['base64'], message }]);
}

function tooLarge(): Fault {
  return new Fault(
    'too_large',
    `An attachment may have ${MAX_ATTACHMENT_BYTES >> 20} MiB at most. Attach a smaller file, or put it into the repository.`,
    { maxBytes: MAX_ATTACHMENT_BYTES },
  );
}

const TEXT_TYPE = /^(?:text\/[a-z0-9][a-z0-9.+-]*|application\/json)$/;

/** What the bytes are. Of a text alone does `said` count, since any text may be of any kind of text. */
export function typeOf(bytes: Uint8Array, said: string): string {
  const media = mediaTypeOf(bytes);
  if (media !== null) return media;
  if (!isText(bytes)) return 'application/octet-stream';
  const essence = said.split(';')[0]?.trim().toLowerCase() ?? '';
  return TEXT_TYPE.test(essence) ? essence : 'text/plain';
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

const SHOWN: readonly string[] = [...MEDIA_TYPES, 'text/plain'];

/**
 * With what an attachment's bytes are answered. Whatever they are, a browser takes them for that, and runs nothing in them:
 * they come from the origin of the app.
 */
export function contentHeaders({ name, mediaType, sha256 }: Attachment): Record<string, string> {
  const isText = TEXT_TYPE.test(mediaType);
  const disposition = SHOWN.includes(mediaType) ? 'inline' : 'attachment';
  return {
    'content-type': isText ? `${mediaType}; charset=utf-8` : mediaType,
    'content-disposition': `${disposition}; ${fileNameParameters(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // It never changes, and yet is asked for again: who signed out, or never might, does not get it from the browser.
    'cache-control': 'private, no-cache',
    etag: `"${sha256}"`,
  };
}

/** RFC 6266: the name in full, and for those who cannot read that a plain one. */
function fileNameParameters(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, '_');
  const full = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${full}`;
}
