import type { MessagesRequest } from './messages-request.ts';

/** Tokens of one answer, as far as a script fixes them; the rest is derived from sizes (characters / 4). */
export type ScriptedUsage = Partial<{
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}>;

/**
 * How a turn fails before it is answered properly: the first `times` requests (default 1, Infinity = always)
 * for this turn of this conversation get the failure, the later ones the turn itself.
 */
export type ScriptedFault =
  | {
      kind: 'status';
      status: number;
      errorType?: string;
      message?: string;
      retryAfterSeconds?: number;
      /** Further headers, as `retry-after-ms` or a date in `retry-after`. */
      headers?: Record<string, string>;
      times?: number;
    }
  /** An `error` event inside a 200 stream; without streaming a plain 529. The headers are those of the stream. */
  | {
      kind: 'overloaded_in_stream';
      afterEvents?: number;
      errorType?: string;
      message?: string;
      headers?: Record<string, string>;
      times?: number;
    }
  /** The connection is reset; without streaming in the middle of the body. */
  | { kind: 'cut'; afterEvents?: number; times?: number }
  /** The last tool call's arguments end in the middle; without streaming they are missing (`{}`). */
  | { kind: 'broken_tool_json'; times?: number }
  /** Status 200 with a body that is neither SSE nor JSON. */
  | { kind: 'rubbish'; times?: number };

/** One answer of the assistant: thinking, then text, then the tool calls in order. */
export interface ScriptedTurn {
  text?: string;
  thinking?: string;
  tools?: { name: string; input: unknown }[];
  /** Default: tool_use when there are tools, else end_turn. */
  stopReason?:
    | 'end_turn'
    | 'tool_use'
    | 'max_tokens'
    | 'refusal'
    | 'stop_sequence'
    | 'pause_turn'
    | 'model_context_window_exceeded';
  usage?: ScriptedUsage;
  /** Wait before the first byte, status line included. */
  delayMs?: number;
  /** Wait before each event of the stream but the first. */
  chunkDelayMs?: number;
  /** Characters in one delta, default 24. */
  chunkChars?: number;
  fault?: ScriptedFault;
}

export type TurnSource = ScriptedTurn | ((request: MessagesRequest) => ScriptedTurn);

export interface ScriptedDialogue {
  name: string;
  /** All given conditions must hold; strings are looked for inside the text, `model` must be equal. */
  when: { system?: string | RegExp; user?: string | RegExp; model?: string; tool?: string };
  turns: TurnSource[];
}

export interface ModelScript {
  name: string;
  /** The first whose conditions hold answers. */
  dialogues: ScriptedDialogue[];
  /** Answers when no dialogue matches or its turns are used up; without it such a request is refused (400). */
  otherwise?: TurnSource;
}
