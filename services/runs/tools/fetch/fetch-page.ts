import { Fault } from '../../../kit/fault.ts';
import { type Body, readBody } from './body.ts';
import { exchange } from './exchange.ts';
import { findTarget, readUrl, resolveHost, type TargetRules } from './target.ts';

/** What a URL gave. */
export interface Page extends Body {
  /** Where it was at last. */
  url: URL;
  redirects: number;
  status: number;
  /** As the server says it; empty when it does not. */
  contentType: string;
}

/** @throws Fault invalid_request, forbidden, unavailable, timeout, cancelled */
export type FetchPage = (url: string, signal: AbortSignal) => Promise<Page>;

export interface FetchOptions extends Partial<TargetRules> {
  /** Of everything together, 20 s unless told. */
  limitMs?: number;
  /** A certificate to trust in place of the host's own ones. */
  ca?: string;
}

const LIMIT_MS = 20_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Fetches pages of the public internet for a model: each URL on the way is checked anew, as is each address. */
export function createFetchPage(options: FetchOptions): FetchPage {
  const { limitMs = LIMIT_MS, allow = [], resolve = resolveHost, ca } = options;
  return async (text, signal) => {
    const first = readUrl(text);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    const both = AbortSignal.any([signal, limit.signal]);
    try {
      return await Promise.race([follow(first, { allow, resolve }, both, ca), abortOf(both)]);
    } catch (error) {
      if (signal.aborted) throw new Fault('cancelled', `Fetching ${first.host} was cancelled.`);
      if (limit.signal.aborted)
        throw new Fault('timeout', `${first.host} did not give the whole page within ${limitMs / 1_000} s.`);
      throw error;
    } finally {
      clearTimeout(timer);
      // Whatever is still under way for a page that nobody waits for any more.
      limit.abort();
    }
  };
}

/** Looking up a name cannot be called off. */
function abortOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

async function follow(first: URL, rules: TargetRules, signal: AbortSignal, ca?: string): Promise<Page> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    signal.throwIfAborted();
    const message = await exchange(await findTarget(url, rules), signal, ca);
    const { statusCode: status = 0, headers } = message;
    if (!REDIRECTS.includes(status) || headers.location === undefined) {
      const body = await readBody(message, MAX_BYTES, signal);
      return { ...body, url, redirects, status, contentType: headers['content-type'] ?? '' };
    }
    message.destroy();
    url = readUrl(headers.location, url);
  }
  throw new Fault(
    'unavailable',
    `${first.host} redirects more than ${MAX_REDIRECTS} times, at last to ${url.host}.`,
  );
}
