import pRetry from 'p-retry';
import { Fault } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';

/** Tasks of one orchestration run one after the other; those of different ones side by side. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #pursuits = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(
    private readonly log: Log,
    private readonly retryBaseMs = 200,
  ) {}

  /** Runs `task` after the earlier ones of the lane, whatever became of them. */
  run<T>(lane: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(lane) ?? Promise.resolve()).then(task, task);
    const tail = turn.catch(() => undefined);
    this.#tails.set(lane, tail);
    void tail.then(() => this.#tails.get(lane) === tail && this.#tails.delete(lane));
    return turn;
  }

  /**
   * Runs `task` in the lane in the background, again and again while it fails for a passing reason. Called while the same
   * lane's pursuit waits for its next try, it starts a new one.
   */
  pursue(lane: string, task: () => Promise<void>): void {
    const pursuit = pRetry(() => this.run(lane, task), {
      retries: 1_000,
      minTimeout: this.retryBaseMs,
      maxTimeout: 30_000,
      signal: this.#stop.signal,
      shouldRetry: ({ error }) => isPassing(error),
      onFailedAttempt: ({ error }) => this.log.warn({ err: error, lane }, 'not done yet'),
    }).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.log.error({ err: error, lane }, 'given up until the next change');
    });
    this.#pursuits.set(lane, pursuit);
    void pursuit.then(() => this.#pursuits.get(lane) === pursuit && this.#pursuits.delete(lane));
  }

  /** Lets what runs end, and tries nothing again. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The service is stopping.'));
    await Promise.all([...this.#pursuits.values(), ...this.#tails.values()]);
  }
}

/** Whether the same call may succeed later: a peer is away, a database is busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}
