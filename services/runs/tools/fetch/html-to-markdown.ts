import { Fault } from '../../../kit/fault.ts';
import type { MarkdownReply } from './html-markdown.worker.ts';

const LIMIT_MS = 10_000;
/** Conversions at once: each can take a core, and a hundred megabytes. */
const MOST_AT_ONCE = 2;

let underWay = 0;
const waiting: (() => void)[] = [];

/**
 * HTML as Markdown, made in a thread of its own: pages are made by anybody, and one that takes for ever to read is ended
 * with its thread. `isCut` when the page was too long to be read to its end.
 * @throws Fault timeout, unavailable; the signal's reason
 */
export async function htmlToMarkdown(
  html: string,
  baseUrl: string,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<{ markdown: string; isCut: boolean }> {
  await turn();
  try {
    signal.throwIfAborted();
    const reply = await convert({ html, baseUrl }, signal, limitMs);
    if ('failure' in reply) throw new Fault('unavailable', `The page could not be read: ${reply.failure}.`);
    return reply;
  } finally {
    underWay -= 1;
    waiting.shift()?.();
  }
}

async function turn(): Promise<void> {
  while (underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  underWay += 1;
}

async function convert(
  page: { html: string; baseUrl: string },
  signal: AbortSignal,
  limitMs: number,
): Promise<MarkdownReply> {
  const { promise, resolve, reject } = Promise.withResolvers<MarkdownReply>();
  const worker = new Worker(new URL('./html-markdown.worker.ts', import.meta.url).href, { smol: true });
  worker.onmessage = ({ data }: MessageEvent<MarkdownReply>) => resolve(data);
  worker.onerror = ({ message }) => resolve({ failure: message.slice(0, 200) });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => reject(new Fault('timeout', `The page could not be read as HTML within ${limitMs / 1_000} s.`)),
    limitMs,
  );
  try {
    worker.postMessage(page);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.terminate();
  }
}
