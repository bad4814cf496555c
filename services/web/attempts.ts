import type { Clock } from '../kit/clock.ts';
import { Fault } from '../kit/fault.ts';

const WINDOW_MS = 60_000;
const MOST_OF_AN_ADDRESS = 10;
const MOST_IN_ALL = 50;

interface Attempt {
  address: string | null;
  at: number;
}

/** Counts attempts to sign in that failed or are under way, in the last minute. */
export class Attempts {
  #recent: Attempt[] = [];

  constructor(readonly clock: Clock) {}

  /**
   * Counts one; what is returned takes it back.
   * @throws Fault too_many_requests with `detail.retryAfterMs`
   */
  take(address: string | null): () => void {
    const at = this.clock();
    this.#recent = this.#recent.filter((one) => one.at > at - WINDOW_MS);
    const own = this.#recent.filter((one) => one.address === address);
    const full = [
      own.length >= MOST_OF_AN_ADDRESS && own,
      this.#recent.length >= MOST_IN_ALL && this.#recent,
    ];
    const waits = full.flatMap((attempts) => (attempts ? (attempts[0] as Attempt).at + WINDOW_MS - at : []));
    if (waits.length > 0) throw tooMany(Math.max(...waits));
    const attempt = { address, at };
    this.#recent.push(attempt);
    return () => {
      this.#recent = this.#recent.filter((one) => one !== attempt);
    };
  }
}

function tooMany(retryAfterMs: number): Fault {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `Too many attempts to sign in failed. Try again in ${seconds} s, with a new link of \`cctl sign-in\`.`;
  return new Fault('too_many_requests', message, { retryAfterMs });
}
