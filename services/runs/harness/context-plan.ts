import type { Conversation, Summary, Turn } from './conversation.ts';
import type { ToolFinishedEntry } from './journal.ts';
import { CLEARED, REFUSED_MEDIA, WITHHELD } from './notes.ts';
import { summaryTexts } from './summary-texts.ts';
import { answerTokens, noteTokens, reportedTokens, resultTokens, tokensUpperBound } from './token-bounds.ts';

/** The newest turns, whose results are never cleared for being old. */
const KEPT_TURNS = 2;
/** Clearing in strides of this part of the limit keeps the prompt's prefix, and with it the cache, for a while. */
const STRIDE = 0.3;
/** A sum that was not counted by the server is taken this much above the share that was found before. */
const SHARE_MARGIN = 1.1;
/** A request takes no more media than this: servers refuse 32 MB and more than a hundred. */
const MOST_MEDIA_BYTES = 16_000_000;
const MOST_MEDIA = 80;

/** How much room a conversation has. All sizes are tokens. */
export interface ContextFrame {
  /** The model's window, or less if the job says so. */
  window: number;
  /** Held back for the answer. */
  answer: number;
  /** Of system prompt and tools, at most. */
  fixed: number;
  modelId: string;
}

/** What the next request leaves out of the journal. */
export interface ContextPlan {
  /** Results that are replaced, each by its note, by call id. */
  cleared: ReadonlyMap<string, string>;
  /**
   * Index of the first turn whose thinking is kept: it is also signed for all that stood before it, so none may follow
   * what was taken out after it was thought.
   */
  thinkingFrom: number;
  /** Estimate of the whole prompt. */
  tokens: number;
  /** Whether the server's count of the last prompt is in the estimate. */
  isMeasured: boolean;
  /** Estimate of each turn with what followed it, whole. */
  turnTokens: readonly number[];
}

/** From this size on a conversation is made smaller. */
export function triggerTokens({ window, answer }: ContextFrame): number {
  return Math.max(1, Math.min(Math.floor(window * 0.85), window - answer));
}

/**
 * Replays, request by request, what had to be left out to make each one fit: results of the oldest turns in strides; where
 * that is not enough and no summary was made, the largest results of all. A pure function of the journal, so that what was
 * sent once is sent the same way again, whoever asks.
 * @param mayWithhold false: a summary is still to be tried for the next request
 */
export function planContext(
  conversation: Conversation,
  frame: ContextFrame,
  mayWithhold: boolean,
): ContextPlan {
  const replay = new Replay(conversation, frame);
  for (let point = 0; point <= conversation.turns.length; point++) {
    replay.reach(point);
    replay.clearOld(point);
    replay.limitMedia(point);
    replay.leaveRefused(point);
    if (mayWithhold || point < conversation.turns.length) replay.withhold(point);
  }
  return replay.plan();
}

class Replay {
  readonly #cleared = new Map<string, string>();
  readonly #turnTokens: number[] = [];
  #thinkingFrom = 0;
  #summary: Summary | null = null;
  /** By our bound, of all that stands in the prompt. */
  #bound: number;
  #tokens: number;
  /** What real tokens were of the bound when the server counted last. */
  #share = 1;
  #isMeasured = false;
  /** Of all turns so far, those included that no longer count. */
  readonly #media = { bytes: 0, count: 0 };

  constructor(
    private readonly conversation: Conversation,
    private readonly frame: ContextFrame,
  ) {
    this.#bound = frame.fixed + sum(conversation.opening.map(noteTokens));
    this.#tokens = this.#bound;
  }

  /** The request after the first `point` turns, with what came since the one before. */
  reach(point: number): void {
    const turn = this.conversation.turns[point - 1];
    if (turn !== undefined) this.#add(turn);
    const next = this.conversation.turns[point];
    const summary = next === undefined ? this.conversation.summary : next.askedWith;
    if (summary?.messageId !== this.#summary?.messageId) this.#summarize(summary, point);
  }

  #add(turn: Turn): void {
    for (const { media = [] } of turn.results.values()) {
      this.#media.count += media.length;
      this.#media.bytes += sum(media.map((medium) => medium.bytes));
    }
    const since = sum([...turn.results.values()].map(resultTokens)) + sum(turn.notes.map(noteTokens));
    const said = answerTokens(turn.answer);
    const isOurs = turn.answer.model === this.frame.modelId;
    const reported = isOurs ? reportedTokens(turn.answer, this.#bound + said) : null;
    this.#isMeasured = reported !== null;
    if (reported !== null) this.#share = Math.min(1, reported / (this.#bound + said));
    this.#tokens = (reported ?? this.#tokens + said) + since;
    this.#bound += said + since;
    this.#turnTokens.push(Math.ceil((said + since) * this.#share));
  }

  #summarize(summary: Summary | null, point: number): void {
    const kept = this.conversation.turns.slice(summary?.turns ?? 0, point);
    const results = kept.flatMap((turn) => [...turn.results.values()]);
    this.#summary = summary;
    this.#thinkingFrom = point;
    this.#bound =
      this.frame.fixed +
      sum(this.conversation.opening.map(noteTokens)) +
      sum(summaryTexts(this.conversation, summary).map(tokensUpperBound)) +
      sum(kept.map((turn) => answerTokens(turn.answer) + sum(turn.notes.map(noteTokens)))) +
      sum(results.map((result) => this.#sizeOf(result)));
    this.#tokens = Math.ceil(this.#bound * Math.min(1, this.#share * SHARE_MARGIN));
    this.#isMeasured = false;
  }

  #sizeOf(result: ToolFinishedEntry): number {
    const note = this.#cleared.get(result.callId);
    return note === undefined ? resultTokens(result) : tokensUpperBound(note);
  }

  /** Nothing is cleared when that would not be enough: then a summary is wanted, which is better made of the whole. */
  clearOld(point: number): void {
    const trigger = triggerTokens(this.frame);
    const excess = this.#tokens - trigger;
    if (excess <= 0) return;
    const results = this.#results(Math.max(0, point - KEPT_TURNS));
    const possible = sum(results.map((result) => this.#saving(result, CLEARED, point)));
    if (possible < excess) return;
    const stride = Math.max(1, trigger * STRIDE);
    const target = this.#tokens - Math.ceil(excess / stride) * stride;
    for (const result of results) {
      if (this.#tokens <= target) return;
      this.#clear(result, CLEARED, point);
    }
  }

  /** The largest results of whatever turn, when the request would not fit the window in any other way. */
  withhold(point: number): void {
    const limit = Math.max(1, this.frame.window - this.frame.answer);
    if (this.#tokens <= limit) return;
    const results = this.#results(point).sort((a, b) => resultTokens(b) - resultTokens(a));
    for (const result of results) {
      if (this.#tokens <= limit) return;
      this.#clear(result, WITHHELD, point);
    }
  }

  /** The oldest media go together, so that the next ones do not change the prompt's start again. */
  limitMedia(point: number): void {
    if (this.#media.bytes <= MOST_MEDIA_BYTES && this.#media.count <= MOST_MEDIA) return;
    const withMedia = this.#results(point).filter(({ media }) => media !== undefined && media.length > 0);
    let bytes = sum(withMedia.flatMap(({ media = [] }) => media.map((medium) => medium.bytes)));
    let count = sum(withMedia.map(({ media = [] }) => media.length));
    if (bytes <= MOST_MEDIA_BYTES && count <= MOST_MEDIA) return;
    for (const result of withMedia) {
      if (bytes <= MOST_MEDIA_BYTES / 2 && count <= MOST_MEDIA / 2) return;
      const { media = [] } = result;
      bytes -= sum(media.map((medium) => medium.bytes));
      count -= media.length;
      this.#clear(result, CLEARED, point);
    }
  }

  /** The server took what it was shown before, so the newest media are the likeliest; where there are none left, it was any. */
  leaveRefused(point: number): void {
    const turn = this.conversation.turns[point - 1];
    for (const { cause } of turn?.notes ?? []) {
      if (cause !== 'mediaRefused') continue;
      const shown = this.#results(point).filter(({ media = [], isError }) => media.length > 0 && !isError);
      const newest = shown.filter(({ callId }) => turn?.results.has(callId));
      for (const result of newest.length > 0 ? newest : shown) this.#clear(result, REFUSED_MEDIA, point);
    }
  }

  /** What stands whole in the prompt, of the turns before `end`, in call order. */
  #results(end: number): ToolFinishedEntry[] {
    return this.conversation.turns
      .slice(this.#summary?.turns ?? 0, end)
      .flatMap((turn) => turn.calls.map((call) => turn.results.get(call.id)))
      .filter((result) => result !== undefined && !this.#cleared.has(result.callId)) as ToolFinishedEntry[];
  }

  /** What came since the server counted last is in the estimate by our bound, the rest in real tokens. */
  #saving(result: ToolFinishedEntry, note: string, point: number): number {
    const isNew = this.conversation.turns[point - 1]?.results.has(result.callId) ?? false;
    return Math.floor((resultTokens(result) - tokensUpperBound(note)) * (isNew ? 1 : this.#share));
  }

  #clear(result: ToolFinishedEntry, note: string, point: number): void {
    const saving = this.#saving(result, note, point);
    const hasMedia = (result.media?.length ?? 0) > 0;
    if (saving <= 0 && !hasMedia) return;
    this.#cleared.set(result.callId, note);
    this.#tokens -= saving;
    this.#bound -= resultTokens(result) - tokensUpperBound(note);
    this.#thinkingFrom = point;
  }

  plan(): ContextPlan {
    return {
      ...{ cleared: this.#cleared, thinkingFrom: this.#thinkingFrom, tokens: this.#tokens },
      ...{ isMeasured: this.#isMeasured, turnTokens: this.#turnTokens },
    };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
