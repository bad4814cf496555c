/** Where a wake came from: a commit of this process, or word from another one. */
export type WakeOrigin = 'here' | 'elsewhere';

/** Wakes whoever waits on a key (a workspace's event log, a run): no value is carried, readers look again. */
export class Wakes {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<(key: string, origin: WakeOrigin) => void>();

  wake(key: string, origin: WakeOrigin = 'here'): void {
    this.#counts.set(key, this.count(key) + 1);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    for (const resolve of waiting ?? []) resolve();
    for (const listener of this.#listeners) listener(key, origin);
  }

  /** Wakes of the key so far. */
  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Calls `listener` at every wake, until the returned function is called. */
  onWake(listener: (key: string, origin: WakeOrigin) => void): () => void {
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
    const onAbort = () => resolve();
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      waiting.delete(resolve);
    });
  }
}
