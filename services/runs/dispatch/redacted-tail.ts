import { LEAST_SECRET_CHARS, redact } from '../tools/output.ts';

/** A token of ours that may go on, at the end of a text: `ccr_` and 43 characters, or the beginning of that. Also within a
 * word, which is none any more once what stands before is masked. */
const TOKEN_BEGUN = /c(?:c(?:r?(?:_[A-Za-z0-9_-]{0,43})?)?)?$/;

/**
 * Redacts a text that comes piece by piece. The end of what came is held back for as long as a secret may begin there, so
 * that none gets out in two pieces.
 */
export class RedactedTail {
  readonly #secrets: readonly string[];
  /** The last character that was shown: whether a word begins after it decides what is a token. */
  #before = '';
  #held = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((secret) => secret.length >= LEAST_SECRET_CHARS);
  }

  /** What may be shown now. */
  take(piece: string): string {
    const text = this.#held + piece;
    return this.#let(text, this.#wholeUntil(text));
  }

  /** The rest: nothing follows. */
  flush(): string {
    const rest = this.#let(this.#held, this.#held.length);
    this.#before = '';
    return rest;
  }

  /** Forgets what is held back. */
  drop(): void {
    this.#held = '';
    this.#before = '';
  }

  #let(text: string, end: number): string {
    const shown = text.slice(0, end);
    this.#held = text.slice(end);
    if (shown === '') return '';
    const redacted = redact(this.#before + shown, this.#secrets).slice(this.#before.length);
    this.#before = redacted.at(-1) ?? '';
    return redacted;
  }

  /** How much of the text cannot be part of a secret that goes on; a secret that is whole is not cut in two. */
  #wholeUntil(text: string): number {
    const token = TOKEN_BEGUN.exec(text)?.index ?? text.length;
    let end = Math.min(token, ...this.#secrets.map((secret) => beginsAt(text, secret)));
    for (let moved = true; moved; ) {
      const start = Math.min(end, ...this.#secrets.map((secret) => overlapFrom(text, secret, end)));
      moved = start < end;
      end = start;
    }
    return end;
  }
}

/** Where the end of the text is the beginning of the secret; its length when nowhere. */
function beginsAt(text: string, secret: string): number {
  const first = secret[0] as string;
  let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
  while (at >= 0 && !secret.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}

/** Where a whole secret begins that goes over `end`; `end` when none does. */
function overlapFrom(text: string, secret: string, end: number): number {
  const at = text.indexOf(secret, Math.max(0, end - secret.length + 1));
  return at >= 0 && at < end ? at : end;
}
