import type { Work } from './work.ts';

const CONTINUATION = '\\\n';

/** A place in a shell text. Line continuations are passed over unseen, as the shell does outside of single quotes. */
export class Cursor {
  at = 0;

  constructor(
    readonly source: string,
    readonly work: Work,
  ) {}

  /** The character `ahead` places on; empty at the end. */
  peek(ahead = 0): string {
    this.work.count('steps');
    let at = this.past(this.at);
    for (let left = ahead; left > 0; left--) at = this.past(at + 1);
    return this.source.charAt(at);
  }

  next(): string {
    this.settle();
    return this.raw();
  }

  /** The next character as it stands: a continuation is not passed over. */
  raw(): string {
    this.work.count('steps');
    return this.source.charAt(this.at++);
  }

  /** Steps over `text` if it is next. */
  take(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.peek(i) !== text.charAt(i)) return false;
    for (let i = 0; i < text.length; i++) this.next();
    return true;
  }

  /** Moves past continuations, so that `at` is where the next character is. */
  settle(): number {
    this.at = this.past(this.at);
    return this.at;
  }

  private past(from: number): number {
    let at = from;
    while (this.source.startsWith(CONTINUATION, at)) at += CONTINUATION.length;
    return at;
  }
}
