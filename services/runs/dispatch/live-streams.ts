/** What a watcher of a running run sees at once; none of it is kept. */
export type LiveItem =
  | { type: 'text' | 'thinking'; text: string }
  | { type: 'toolStarted'; callId: string; name: string }
  | { type: 'toolFinished'; callId: string; name: string; isError: boolean; durationMs: number }
  | { type: 'retrying'; attempt: number; errorFamily: string; message: string; delayMs: number }
  | { type: 'left' };

/** Carries live news of runs to whoever listens now. */
export class LiveStreams {
  readonly #listeners = new Map<string, Set<(item: LiveItem) => void>>();

  /** @param onItem is told the news of every run */
  constructor(private readonly onItem: (runId: string, item: LiveItem) => void) {}

  publish(runId: string, item: LiveItem): void {
    this.onItem(runId, item);
    for (const listener of this.#listeners.get(runId) ?? []) listener(item);
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
