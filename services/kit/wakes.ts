/** Wakes whoever waits on a key (a workspace's event log, a run): no value is carried, readers look again. */
export class Wakes {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<(key: string) => void>();

  /** Wakes the waiters of this process and tells the listeners, who pass it on to other processes. */
  wake(key: string): void {
    this.wakeHere(key);
    for (const listener of this.#listeners) listener(key);
  }

  /** Wakes the waiters of this process alone. */
  wakeHere(key: string): void {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    for (const resolve of waiting ?? []) resolve();
  }

  /** Calls `listener` at every `wake`, until the returned function is called. */
  onWake(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next wake of `key`, after `timeoutMs`, or when `signal` aborts; never rejects. */
  wait(key: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(resolve));
    const timer = setTimeout(resolve, timeoutMs);
    signal?.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(resolve);
    });
  }
}
