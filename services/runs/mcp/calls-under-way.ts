import { Fault } from '../../kit/fault.ts';

/** More than any client needs, and few enough that no run fills the inbox at once. */
const MOST_CALLS = 50;

/** A call that somebody waits for in this process. */
interface UnderWay {
  callId: string;
  requestId: string | number;
  taken: AbortController;
}

export interface Hold {
  /** Aborted when the client takes the call back, or this process ends. */
  signal: AbortSignal;
  end(): void;
}

/** The tool calls of runs that are being answered now: so that none is made twice at once, and each can be taken back. */
export class CallsUnderWay {
  readonly #calls = new Map<string, Set<UnderWay>>();
  readonly #settling = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** Aborted when this process ends. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  has(runId: string, callId: string): boolean {
    return this.#of(runId).some((call) => call.callId === callId);
  }

  /**
   * @throws Fault conflict when the same call is being made already, too_soon when the run has too many, unavailable when
   * this process ends
   */
  begin(runId: string, callId: string, requestId: string | number): Hold {
    if (this.#stopping.signal.aborted) throw new Fault('unavailable', 'The server is being stopped.');
    if (this.has(runId, callId)) {
      throw new Fault('conflict', `The call ${callId} is under way already; wait for its answer.`);
    }
    const calls = this.#calls.get(runId) ?? new Set();
    if (calls.size >= MOST_CALLS) {
      throw new Fault(
        'too_soon',
        `${calls.size} calls of this run are under way; wait until one is answered.`,
      );
    }
    const call = { callId, requestId, taken: new AbortController() };
    this.#calls.set(runId, calls.add(call));
    const end = () => {
      calls.delete(call);
      if (calls.size === 0) this.#calls.delete(runId);
    };
    return { signal: AbortSignal.any([call.taken.signal, this.#stopping.signal]), end };
  }

  /** Clients number their requests each for itself: of two calls with the same number neither is taken back. */
  cancel(runId: string, requestId: string | number): void {
    const meant = this.#of(runId).filter((call) => call.requestId === requestId);
    if (meant.length === 1) meant[0]?.taken.abort(new Fault('cancelled', 'The client took the call back.'));
  }

  /** Lets the process end only after `work` has. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#settling.add(work);
    return work.finally(() => this.#settling.delete(work));
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Fault('unavailable', 'The server is being stopped.'));
    await Promise.allSettled(this.#settling);
  }

  #of(runId: string): UnderWay[] {
    return [...(this.#calls.get(runId) ?? [])];
  }
}
