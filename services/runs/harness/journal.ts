import type { CallDecision } from './tool-port.ts';

/** Tokens of one answer as reported; the four kinds do not overlap. */
export interface TokenUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour; left out where there is none. */
  cacheWrite1h?: number | undefined;
}

/** A tool call's `input` is an object, or the raw text when the model wrote arguments that are not a JSON object. */
export type AssistantBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

/**
 * `message`: what a person wrote to the run while it worked; `handback`: a person gives the work back after a takeover;
 * `mediaRefused`: the model server refused a request that showed images or documents, so that they are shown no more.
 */
export type UserEntry = {
  kind: 'user';
  cause: 'prompt' | 'nudge' | 'repair' | 'steer' | 'budget' | 'message' | 'handback' | 'mediaRefused';
  text: string;
};

export type AnswerEntry = {
  kind: 'answer';
  messageId: string;
  model: string;
  content: AssistantBlock[];
  stopReason: string;
  usage: TokenUsage;
  costMicros: number | null;
  durationMs: number;
  firstByteMs: number | null;
};

/** The call waits for this approval; nothing of it has begun. */
type ToolHeldEntry = { kind: 'toolHeld'; callId: string; name: string; approvalId: string };

/** `decision` stands in the entry that is the first to follow the admission: here, or in the result of a call without a start. */
type ToolStartedEntry = { kind: 'toolStarted'; callId: string; name: string; decision?: CallDecision };

/** An image or a document of a tool result, kept as a file of the run's folder under its digest. */
export interface MediaRef {
  mediaType: string;
  /** Name of the file in the run's folder. */
  file: string;
  bytes: number;
}

export type ToolFinishedEntry = {
  kind: 'toolFinished';
  callId: string;
  name: string;
  content: string;
  media?: MediaRef[];
  isError: boolean;
  durationMs: number;
  decision?: CallDecision;
  /** By the decision, or by the person who was asked: the call was not made. */
  refused?: true;
};

/** From here on a summary stands for the first `turns` answers and what followed them. */
export type CompactionEntry = {
  kind: 'compaction';
  turns: number;
  summary: string;
  messageId: string;
  model: string;
  usage: TokenUsage;
  costMicros: number | null;
};

/** A person took the conversation back: of its answers only the first `turns`, and what followed them, still count. */
export type RewindEntry = { kind: 'rewind'; turns: number };

/** One line of a run's journal, in commit order. */
export type Entry =
  | UserEntry
  | AnswerEntry
  | ToolHeldEntry
  | ToolStartedEntry
  | ToolFinishedEntry
  | CompactionEntry
  | RewindEntry;

export type AppendLabel = 'run.prompt' | 'run.note' | 'tool.hold' | 'tool.start' | 'tool.finish';

export type Admission =
  | { admitted: true; wrapUp: string | null }
  | { admitted: false; reason: 'cap' | 'price_unknown'; message: string };

/** A run's durable log; each method is one commit, and rejects when it could not be made. */
export interface RunJournal {
  load(): Promise<Entry[]>;
  append(label: AppendLabel, entry: Entry): Promise<void>;
  /**
   * Reserves the most the next model call can cost, in place of what this run had reserved. Null: the price is unknown.
   * `wrapUp` is what the run has to be told of budgets that are nearly used; null when there is nothing, or it was told.
   */
  reserve(upperBoundMicros: number | null): Promise<Admission>;
  /** Commits the answer with the run's tokens and cost and settles the reservation; once per message id. */
  answer(entry: AnswerEntry): Promise<void>;
  /** As `answer`, of the call that wrote a summary. */
  compact(entry: CompactionEntry): Promise<void>;
  /** Takes what people wrote to the run since the last time into the journal; false when there was nothing. */
  takeMessages(): Promise<boolean>;
}
