import type { ModelRequest } from '../models/client.ts';
import { overflowed } from './context-overflow.ts';
import { type ContextFrame, type ContextPlan, triggerTokens } from './context-plan.ts';
import { type Conversation, isFreshlySummarized, textOf, turnsSinceSummary } from './conversation.ts';
import type { AnswerEntry, CompactionEntry } from './journal.ts';
import { loadMedia } from './load-media.ts';
import { type LoopState, takeModelTurn } from './model-turn.ts';
import { CLEARED } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';
import { buildRequest } from './request.ts';
import { summaryRequest } from './summary-texts.ts';

/** Part of the limit that the turns may take which a summary leaves whole. */
const WHOLE_SHARE = 0.25;
/** A second summary follows at once when the first came to nothing, or was not enough; no third. */
const MOST_AT_ONCE = 2;
/** Summaries are so many turns apart, unless the prompt cannot be sent at all. */
const TURNS_BETWEEN = 3;

/**
 * How many of the first turns the next summary is to stand for; null when there can be none now.
 * @param urgency whether the next prompt is only large, or too large to be sent
 */
export function turnsToSummarize(
  conversation: Conversation,
  plan: ContextPlan,
  frame: ContextFrame,
  urgency: 'large' | 'tooLarge',
): number | null {
  const { turns, summary, summariesSinceAnswer } = conversation;
  if (summariesSinceAnswer >= MOST_AT_ONCE) return null;
  const isSoon = summary !== null && turnsSinceSummary(conversation) < TURNS_BETWEEN;
  if (urgency === 'large' && isSoon && summariesSinceAnswer === 0) return null;
  const already = summary?.turns ?? 0;
  const fitting = newestTurns(plan.turnTokens, triggerTokens(frame) * WHOLE_SHARE);
  // However small they seem, not all can stay whole when the whole does not fit.
  const most = isFreshlySummarized(conversation) ? 1 : Math.max(1, Math.floor((turns.length - already) / 2));
  const covered = turns.length - Math.min(fitting, most);
  return covered > already ? covered : null;
}

/** How many of the newest turns fit; the newest always counts. */
function newestTurns(turnTokens: readonly number[], roomTokens: number): number {
  let left = roomTokens;
  const before = turnTokens.findLastIndex((tokens, index) => {
    left -= tokens;
    return left < 0 && index < turnTokens.length - 1;
  });
  return turnTokens.length - 1 - before;
}

/** Has the model summarize the first `covered` turns, and commits that. Null: the run goes on. */
export async function summarize(
  state: LoopState,
  covered: number,
  plan: ContextPlan,
  frame: ContextFrame,
): Promise<HarnessOutcome | null> {
  const { conversation, ports } = state;
  const part = { ...conversation, turns: conversation.turns.slice(0, covered) };
  let refusal = '';
  for (const view of [plan, withoutResults(part)]) {
    const turn = await takeModelTurn(quietly(state), await requestOf(state, part, view, frame), plan.tokens);
    // What it was of the whole, a file of it perhaps, is not known; without results too it is of something else.
    if (turn.kind === 'none' || (turn.kind === 'refused' && view !== plan)) return turn.outcome;
    if (turn.kind === 'answer') {
      await ports.journal.compact(entryOf(turn.answer, covered));
      return null;
    }
    refusal = turn.message;
  }
  return overflowed(state, plan, frame, refusal);
}

type View = Pick<ContextPlan, 'cleared' | 'thinkingFrom'>;

/** The server has just refused the whole of it. */
function withoutResults({ turns }: Conversation): View {
  const callIds = turns.flatMap((turn) => turn.calls.map((call) => call.id));
  return { cleared: new Map(callIds.map((id) => [id, CLEARED])), thinkingFrom: turns.length };
}

// The start of the last request as it was, tools included, so that it is read from the cache. Only a model that called
// tools instead of writing is forbidden to, since that changes what is cached.
async function requestOf(
  { job, conversation, ports }: LoopState,
  part: Conversation,
  view: View,
  frame: ContextFrame,
): Promise<ModelRequest> {
  const media = await loadMedia(job, part, view, ports);
  const request = buildRequest(job, ports.tools.tools, part, view, media);
  const wasVain = conversation.summariesSinceAnswer > 0 && !isFreshlySummarized(conversation);
  const last = request.messages.at(-1);
  const asked = { type: 'text' as const, text: summaryRequest(frame.window) };
  const content = Array.isArray(last?.content) ? [...last.content, asked] : [asked];
  return {
    ...request,
    messages: [...request.messages.slice(0, -1), { role: 'user', content }],
    ...(wasVain && request.tools !== undefined && { tool_choice: { type: 'none' as const } }),
  };
}

// What is written for the model itself is no answer to anybody.
function quietly(state: LoopState): LoopState {
  const { events } = state.ports;
  const delta = ({ text }: { text: string }) => events.delta({ type: 'thinking', text });
  return { ...state, ports: { ...state.ports, events: { ...events, delta } } };
}

/** Text beside calls announces them and is no summary: the entry then stands for nothing, and is kept for its cost. */
function entryOf(answer: AnswerEntry, covered: number): CompactionEntry {
  const isAnswer =
    answer.content.every((block) => block.type !== 'tool_use') && answer.stopReason !== 'refusal';
  const summary = isAnswer ? textOf(answer).trim() : '';
  const { messageId, model, usage, costMicros } = answer;
  return {
    ...{ kind: 'compaction', turns: summary === '' ? 0 : covered, summary },
    ...{ messageId, model, usage, costMicros },
  };
}
