import type { RunVoice } from './run-voice.ts';

/** What a run has said of the answer that it is at work on, and how many of its answers are kept. */
export interface Said {
  answered: number;
  thinking: string;
  text: string;
}

/** What a watcher of a running run sees at once; none of it is kept. */
export type LiveItem =
  | { type: 'text' | 'thinking'; text: string }
  /** The text and thinking so far belong to an answer (or to a summary), which is kept now. */
  | { type: 'answered'; answered: number }
  | { type: 'toolStarted'; callId: string; name: string }
  | { type: 'toolFinished'; callId: string; name: string; isError: boolean; durationMs: number }
  /** The text and thinking since the last answer are void: another try of the model follows. */
  | { type: 'retrying'; attempt: number; errorFamily: string; message: string; delayMs: number }
  | { type: 'left' };

/** Carries live news of runs to whoever listens now. */
export class LiveStreams {
  readonly #listeners = new Map<string, Set<(item: LiveItem) => void>>();
  readonly #voices = new Map<string, RunVoice>();

  /** @param onItem is told the news of every run */
  constructor(private readonly onItem: (runId: string, item: LiveItem) => void) {}

  publish(runId: string, item: LiveItem): void {
    this.onItem(runId, item);
    for (const listener of this.#listeners.get(runId) ?? []) listener(item);
  }

  /** The voice of the run's loop, from now until the returned function is called. */
  hear(runId: string, voice: RunVoice): () => void {
    this.#voices.set(runId, voice);
    return () => {
      if (this.#voices.get(runId) === voice) this.#voices.delete(runId);
    };
  }

  /** Null for a run that has no loop here. */
  said(runId: string): Said | null {
    return this.#voices.get(runId)?.said ?? null;
  }

  /** Calls `listener` until the returned function is called. */
  subscribe(runId: string, listener: (item: LiveItem) => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
    };
  }
}
