/** Why a loop was stopped from outside. */
export type StopCause = 'cancelled' | 'released' | 'inactivity';

/** Ends a loop between two steps; not a failure. */
export class LoopStopped extends Error {
  override readonly name = 'LoopStopped';
}

/** One loop of this process. */
export class LiveRun {
  readonly #controller = new AbortController();
  readonly #letGo = new AbortController();
  readonly #cancelled = new AbortController();
  done: Promise<void> = Promise.resolve();
  pauseRequested = false;
  cause: StopCause | null = null;

  constructor(
    readonly workspaceId: string,
    readonly runId: string,
    readonly epoch: number,
  ) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Nothing this loop still does may reach the journal. */
  get released(): boolean {
    return this.#letGo.signal.aborted;
  }

  /** Aborted when the process lets go of the run, and by nothing else. */
  get releaseSignal(): AbortSignal {
    return this.#letGo.signal;
  }

  /** Aborted by a cancel, whatever stopped the loop before. */
  get cancelSignal(): AbortSignal {
    return this.#cancelled.signal;
  }

  cancel(): void {
    this.#cancelled.abort(new LoopStopped('cancelled'));
    this.#stop('cancelled');
  }

  /** Stops as a crash would: nothing more is written, so that the next start goes on from the last commit. */
  release(): void {
    this.#letGo.abort(new LoopStopped('released'));
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
