import { promptPartsOf } from './cache-control.ts';
import type { MessagesRequest } from './messages-request.ts';

const CHARS_PER_TOKEN = 4;
/** The API looks for a cached prefix at most this many blocks before a breakpoint. */
const LOOKBACK_PARTS = 20;

/** Tokens of one prompt; the whole prompt is the sum of the first three. */
export interface PromptUsage {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Time to live of the entry written last: an hour costs more than five minutes. */
  writeTtl: '5m' | '1h';
}

/** Remembers the prefixes of the prompts it has seen up to their cache_control breakpoints. */
export interface PromptCache {
  /** Tokens of the prompt, read from and written to the cache as a side effect. */
  charge(request: MessagesRequest): PromptUsage;
}

export function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** Tokens of the whole prompt, cached or not. */
export function promptTokens(request: MessagesRequest): number {
  return tokensOf(promptPartsOf(request).reduce((chars, part) => chars + part.text.length, 0));
}

interface Prefix {
  hash: bigint;
  chars: number;
  breakpoint: { ttl?: string } | null;
}

function prefixesOf(request: MessagesRequest): Prefix[] {
  let hash = BigInt(Bun.hash(request.model));
  let chars = 0;
  return promptPartsOf(request).map((part) => {
    hash = BigInt(Bun.hash(part.text, hash));
    chars += part.text.length;
    return { hash, chars, breakpoint: part.breakpoint };
  });
}

/** Characters of the longest remembered prefix within reach of a breakpoint, 0 when there is none. */
function cachedChars(prefixes: Prefix[], seen: ReadonlySet<bigint>): number {
  let reach = 0;
  for (const prefix of prefixes.toReversed()) {
    reach = prefix.breakpoint ? LOOKBACK_PARTS : reach - 1;
    if (reach >= 0 && seen.has(prefix.hash)) return prefix.chars;
  }
  return 0;
}

/** A cache without expiry and without a least size, so that small prompts of tests show in it. */
export function createPromptCache(): PromptCache {
  const seen = new Set<bigint>();
  return {
    charge(request) {
      const prefixes = prefixesOf(request);
      const last = prefixes.findLast((prefix) => prefix.breakpoint !== null);
      const total = tokensOf(prefixes.at(-1)?.chars ?? 0);
      const cacheReadTokens = tokensOf(cachedChars(prefixes, seen));
      const marked = tokensOf(last?.chars ?? 0);
      for (const prefix of prefixes) if (prefix.breakpoint) seen.add(prefix.hash);
      return {
        inputTokens: total - marked,
        cacheReadTokens,
        cacheWriteTokens: marked - cacheReadTokens,
        writeTtl: last?.breakpoint?.ttl === '1h' ? '1h' : '5m',
      };
    },
  };
}
