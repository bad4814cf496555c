import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { ResolvedModel } from '../models/catalogue.ts';
import type { ModelClient } from '../models/client.ts';
import type { RunJournal } from './journal.ts';
import type { ErrorFamily } from './outcome.ts';
import type { ToolPort } from './tool-port.ts';

/** What one run is to do; the same at every resumption of the run. */
export interface HarnessJob {
  runId: string;
  /** The system prompt in pieces; `cache` marks the stable ones, which stand first. */
  system: { text: string; cache: boolean }[];
  prompt: string;
  model: ResolvedModel;
  effort: string | null;
  /** The tool that has to be called for the run to have done its work. */
  exitVerb: string | null;
  /** JSON Schema of the final answer's JSON. */
  outputSchema: Record<string, unknown> | null;
  /** Model answers the run may take in all. */
  maxTurns: number;
  /** Overrides the model's context window. */
  contextTokens: number | null;
}

/** Live news for watchers; nothing durable depends on it. */
export interface HarnessEvents {
  delta(delta: { type: 'text' | 'thinking'; text: string }): void;
  toolStarted(call: { callId: string; name: string; input: unknown }): void;
  toolFinished(result: {
    callId: string;
    name: string;
    isError: boolean;
    durationMs: number;
    summary: string;
  }): void;
  /** A try of the model failed: the deltas since the last answer are void, and another try follows. */
  retrying(retry: { attempt: number; errorFamily: ErrorFamily; message: string; delayMs: number }): void;
}

/** How often and after which pauses a failing model call is tried again. */
export interface RetryPolicy {
  tries: number;
  minDelayMs: number;
  maxDelayMs: number;
  /** The longest `retry-after` that is waited for; beyond it the run pauses at once. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 6,
  minDelayMs: 1_000,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 120_000,
};

export interface HarnessPorts {
  journal: RunJournal;
  tools: ToolPort;
  events: HarnessEvents;
  client: ModelClient;
  /** A file that a tool result refers to; null when it is gone. */
  media(file: string): Promise<Uint8Array | null>;
  /** Called before each batch of calls; throws to stop the run there. */
  beforeCalls?(): void;
  clock: Clock;
  log: Log;
  retry?: RetryPolicy;
}
