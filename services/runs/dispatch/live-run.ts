/** Why a loop was stopped from outside. */
export type StopCause = 'cancelled' | 'released' | 'inactivity';

/** Ends a loop between two steps; not a failure. */
export class LoopStopped extends Error {
  override readonly name = 'LoopStopped';
}

/** One loop of this process. */
export class LiveRun {
  readonly #controller = new AbortController();
  done: Promise<void> = Promise.resolve();
  pauseRequested = false;
  /** Nothing this loop still does may reach the journal. */
  released = false;
  cause: StopCause | null = null;

  constructor(
    readonly workspaceId: string,
    readonly runId: string,
    readonly epoch: number,
  ) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.#stop('cancelled');
  }

  /** Stops as a crash would: nothing more is written, so that the next start goes on from the last commit. */
  release(): void {
    this.released = true;
    this.#stop('released');
  }

  stopForInactivity(): void {
    this.#stop('inactivity');
  }

  throwIfPaused(): void {
    if (this.pauseRequested) throw new LoopStopped(`Run ${this.runId} is paused.`);
  }

  throwIfReleased(): void {
    if (this.released) throw new LoopStopped(`Run ${this.runId} is no longer held here.`);
  }

  #stop(cause: StopCause): void {
    this.cause ??= cause;
    this.#controller.abort(new LoopStopped(cause));
  }
}
