import { withoutUnseen } from '../../core-wasm/core.ts';

/** One line that other services take as a title: no control characters and none that are not seen, at most `max` characters, a cut shown by `…`. */
export function lineOf(text: string, max = 200): string {
  const line = withoutUnseen(text)
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

/** At most `max` characters, and a sentence that says how much is missing and where the whole is. */
export function bounded(text: string, max: number, whole: string): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}\n\n[Cut: ${max} of ${text.length} characters are shown. ${whole}]`;
}

/** Micro-dollars as people read them: cents, and four digits below one cent. */
export function dollars(costMicros: number): string {
  const digits = costMicros > 0 && costMicros < 10_000 ? 4 : 2;
  return `$${(costMicros / 1_000_000).toFixed(digits)}`;
}

/** Longest text that a message or comment takes, with room for what is put around it. */
export const POST_LIMIT = 150_000;
