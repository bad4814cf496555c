/** Frames that a client may send at once: more than a tab that comes back opens streams. */
export const MOST_AT_ONCE = 200;
export const PER_SECOND = 50;

/** A bucket of tokens, one a frame, which fills again with time. */
export class FrameAllowance {
  #left = MOST_AT_ONCE;
  #at: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#at = now();
  }

  /** Whether one more may come now. */
  take(): boolean {
    const at = this.now();
    this.#left = Math.min(MOST_AT_ONCE, this.#left + ((at - this.#at) / 1_000) * PER_SECOND);
    this.#at = at;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
