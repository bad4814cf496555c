import type { LoggedEntry } from '../entries/schema.ts';
import type { AnswerEntry, Entry, MediaRef, TokenUsage, UserEntry } from '../harness/journal.ts';
import type { CallDecision } from '../harness/tool-port.ts';
import type { Turn } from './turns.ts';

/**
 * Where a call stands: `open` is not begun, `held` waits for a person, `started` has begun and has no result; `denied` was
 * not made, by a rule or by a person.
 */
type CallState = 'open' | 'held' | 'started' | 'succeeded' | 'failed' | 'denied';

interface StepCall {
  callId: string;
  name: string;
  /** An object, or the raw text where the model wrote no valid JSON. */
  input: unknown;
  state: CallState;
  output: string | null;
  /** Characters of the whole output; more than are shown when it was cut. */
  outputChars: number | null;
  media: MediaRef[];
  /** What decided over the call, by which rule, and on which approval it rests; null where there was nothing to decide. */
  decision: CallDecision | null;
  /** The approval that it waits for, or rests on. */
  approvalId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  durationMs: number | null;
}

/** What came between two answers beside results. */
type Between =
  | { kind: 'note'; at: number; cause: UserEntry['cause']; text: string }
  | {
      kind: 'summary';
      at: number;
      turns: number;
      text: string;
      tokens: TokenUsage;
      costMicros: number | null;
    }
  | { kind: 'undo'; at: number; turns: number };

/** One answer of the model, the calls that it made, and what followed. */
export interface Step extends Omit<Turn, 'seq'> {
  seq: number;
  at: number;
  text: string;
  thinking: string | null;
  model: string;
  stopReason: string;
  tokens: TokenUsage;
  costMicros: number | null;
  durationMs: number;
  firstByteMs: number | null;
  calls: StepCall[];
  between: Between[];
}

export interface Steps {
  /** What came before the first of the answers. */
  opening: Between[];
  steps: Step[];
}

/**
 * Entries in commit order as steps.
 * @param turns of the run, by the number of the answer's entry
 * @param maxChars of each output are shown
 */
export function stepsOf(
  entries: readonly LoggedEntry[],
  turns: ReadonlyMap<number, Turn>,
  maxChars: number,
): Steps {
  const opening: Between[] = [];
  const steps: Step[] = [];
  const calls = new Map<string, StepCall>();
  for (const logged of entries) {
    const { entry } = logged;
    if (entry.kind === 'answer') {
      const step = stepOf(logged.seq, logged.at, entry, turns);
      for (const call of step.calls) calls.set(call.callId, call);
      steps.push(step);
    } else if ('callId' in entry) {
      const call = calls.get(entry.callId);
      if (call) Object.assign(call, changeOf(call, entry, logged.at, maxChars));
    } else {
      (steps.at(-1)?.between ?? opening).push(betweenOf(entry, logged.at));
    }
  }
  return { opening, steps };
}

function stepOf(seq: number, at: number, answer: AnswerEntry, turns: ReadonlyMap<number, Turn>): Step {
  const { content, usage: tokens, model, stopReason, costMicros, durationMs, firstByteMs } = answer;
  const textOf = (type: 'text' | 'thinking') =>
    content.flatMap((block) =>
      block.type === 'text' && type === 'text'
        ? [block.text]
        : block.type === 'thinking' && type === 'thinking'
          ? [block.thinking]
          : [],
    );
  const { turn = 0, undone = false, summarized = false } = turns.get(seq) ?? {};
  return {
    ...{ seq, at, turn, undone, summarized, text: textOf('text').join(''), between: [] },
    thinking: textOf('thinking').join('\n') || null,
    ...{ model, stopReason, tokens, costMicros, durationMs, firstByteMs },
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [openCall(block)] : [])),
  };
}

function openCall({ id, name, input }: { id: string; name: string; input: unknown }): StepCall {
  const none = { output: null, outputChars: null, decision: null, approvalId: null };
  const times = { startedAt: null, endedAt: null, durationMs: null };
  return { callId: id, name, input, state: 'open', media: [], ...none, ...times };
}

function changeOf(
  call: StepCall,
  entry: Extract<Entry, { callId: string }>,
  at: number,
  maxChars: number,
): Partial<StepCall> {
  if (entry.kind === 'toolHeld') return { state: 'held', approvalId: entry.approvalId };
  const decision = entry.decision ?? call.decision;
  const decided = { decision, approvalId: decision?.approvalId ?? call.approvalId };
  if (entry.kind === 'toolStarted') return { ...decided, state: 'started', startedAt: at };
  const { content, durationMs, media = [], isError, refused = false } = entry;
  // A read leaves no entry of its start.
  const startedAt = refused ? null : (call.startedAt ?? at - durationMs);
  return {
    ...{ ...decided, media, durationMs, startedAt, endedAt: at },
    state: refused ? 'denied' : isError ? 'failed' : 'succeeded',
    output: content.slice(0, maxChars).toWellFormed(),
    outputChars: content.length,
  };
}

function betweenOf(entry: Exclude<Entry, AnswerEntry | { callId: string }>, at: number): Between {
  switch (entry.kind) {
    case 'user':
      return { kind: 'note', at, cause: entry.cause, text: entry.text };
    case 'compaction': {
      const { turns, summary, usage, costMicros } = entry;
      return { kind: 'summary', at, turns, text: summary, tokens: usage, costMicros };
    }
    case 'rewind':
      return { kind: 'undo', at, turns: entry.turns };
  }
}
