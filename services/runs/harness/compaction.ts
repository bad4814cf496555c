import type { Conversation } from './conversation.ts';
import { CLEARED } from './notes.ts';

/** The newest answers whose results are always kept. */
const KEPT_TURNS = 2;
/** Cutting in strides of this part of the limit keeps the prompt's prefix, and with it the cache, for a while. */
const STRIDE = 0.3;

export function tokensUpperBound(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/**
 * The calls whose results are left out of the next request because it would not fit: the oldest first, a pure function
 * of the journal.
 * @param totalTokens of the whole request with every result, and `limitTokens` it may have.
 */
export function callsToClear(
  conversation: Conversation,
  totalTokens: number,
  limitTokens: number,
): Set<string> {
  const cleared = new Set<string>();
  if (totalTokens <= limitTokens) return cleared;
  const stride = Math.max(1, limitTokens * STRIDE);
  let left = Math.ceil((totalTokens - limitTokens) / stride) * stride;
  const noteTokens = tokensUpperBound(CLEARED);
  for (const turn of conversation.turns.slice(0, -KEPT_TURNS)) {
    for (const call of turn.calls) {
      const saved = tokensUpperBound(turn.results.get(call.id)?.content ?? '') - noteTokens;
      if (left <= 0) return cleared;
      if (saved <= 0) continue;
      cleared.add(call.id);
      left -= saved;
    }
  }
  return cleared;
}
