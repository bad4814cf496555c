import { createHash } from 'node:crypto';
import type { ChosenTurn } from './choose-turn.ts';
import type { MessagesRequest } from './messages-request.ts';
import { textOf } from './messages-request.ts';
import type { ScriptedFault } from './script.ts';

/** Counts failures, so that a turn fails `times` times in each conversation. */
export interface FaultCounter {
  /** The fault this request gets, counted as a side effect, or null when the turn is to be answered. */
  next(chosen: ChosenTurn, request: MessagesRequest): ScriptedFault | null;
}

/** A conversation is known by its first user text and user id, which no retry changes. */
function keyOf(chosen: ChosenTurn, request: MessagesRequest): string {
  const first = request.messages.find((message) => message.role === 'user');
  const parts = [chosen.dialogue, chosen.turn, request.metadata?.user_id ?? null, textOf(first?.content)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

export function createFaultCounter(): FaultCounter {
  const failures = new Map<string, number>();
  return {
    next(chosen, request) {
      const { fault } = chosen.answer;
      if (fault === undefined) return null;
      const key = keyOf(chosen, request);
      const count = failures.get(key) ?? 0;
      if (count >= (fault.times ?? 1)) return null;
      failures.set(key, count + 1);
      return fault;
    },
  };
}
