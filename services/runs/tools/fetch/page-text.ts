import { Fault } from '../../../kit/fault.ts';
import type { Page } from './fetch-page.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** `kind` says how the text came to be. */
export interface PageText {
  text: string;
  kind: string;
}

const HTML = ['text/html', 'application/xhtml+xml'];
const TEXT =
  /^text\/|^application\/(json|xml|javascript|ecmascript|x-javascript|typescript|yaml|x-yaml|toml|x-ndjson|sql|graphql|x-sh|rtf|x-www-form-urlencoded)$|\+(json|xml|yaml)$/;
/** Said by servers that do not know what they give. */
const UNKNOWN = ['', 'application/octet-stream', 'binary/octet-stream'];

/**
 * A page as text: HTML as Markdown, whatever else is text as it is.
 * @throws Fault invalid_request for what is no text
 */
export async function pageText(page: Page, signal: AbortSignal): Promise<PageText> {
  const type = essenceOf(page.contentType);
  const known = HTML.includes(type) || TEXT.test(type);
  if (!known && !UNKNOWN.includes(type)) throw notText(page, type);
  const text = decode(page, HTML.includes(type));
  const isHtml = HTML.includes(type) || (type === '' && /^\s*<(!doctype html|html)[\s>]/i.test(text));
  if (!isHtml) return { text, kind: 'as it is' };
  const { markdown, isCut } = await htmlToMarkdown(text, page.url.href, signal);
  return { text: markdown, kind: isCut ? 'as Markdown, of its beginning' : 'as Markdown' };
}

export function essenceOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

function notText({ bytes }: Page, type: string): Fault {
  const what = type === '' ? 'of no known type' : `of the type ${type.slice(0, 100)}`;
  return new Fault(
    'invalid_request',
    `What is there (${bytes.length} bytes) is ${what}, which cannot be shown: only text, HTML, images (PNG, JPEG, GIF, WebP) and PDFs can.`,
  );
}

function decode(page: Page, isHtml: boolean): string {
  const { bytes, contentType } = page;
  const charset = markOf(bytes) ?? charsetOf(contentType) ?? (isHtml ? metaCharset(bytes) : null) ?? 'utf-8';
  const text = decoderFor(charset).decode(bytes);
  const isGuess = UNKNOWN.includes(essenceOf(contentType));
  if (text.includes('\0') || (isGuess && !page.isCut && text.includes('\uFFFD')))
    throw notText(page, essenceOf(contentType));
  return text;
}

function decoderFor(charset: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(charset as Bun.Encoding);
  } catch (error) {
    const message = `The page is written in the character set ${charset.slice(0, 50)}, which is not known here.`;
    throw new Fault('invalid_request', message, {}, { cause: error });
  }
}

/** A byte-order mark is surer than what is said. */
function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? null;
}

function metaCharset(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 2_048).toString('latin1');
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? null;
}
