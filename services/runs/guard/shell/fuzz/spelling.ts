import type { Seeded } from './seeded.ts';

/** A word for the shell that is this text and nothing else. */
export const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const double = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

const code = (c: string): number => c.charCodeAt(0);
const pad = (value: number, radix: number, length: number) => value.toString(radix).padStart(length, '0');

/** Ways to write one plain character. */
const CHARACTER: readonly ((c: string) => string)[] = [
  (c) => c,
  (c) => c,
  (c) => c,
  (c) => `\\${c}`,
  (c) => `'${c}'`,
  (c) => `"${c}"`,
  (c) => `${c}''`,
  (c) => `""${c}`,
  (c) => `\\\n${c}`,
  (c) => `$'\\x${pad(code(c), 16, 2)}'`,
  (c) => `$'\\${pad(code(c), 8, 3)}'`,
  (c) => `$'\\u${pad(code(c), 16, 4)}'`,
  (c) => `$"${c}"`,
  (c) => `$'${c}\\0x'`,
];

/** Nothing in it means more to the shell than itself. */
const PLAIN = /^[\w./:@%+,=-]+$/;

/** A word written in some way that the shell takes for the same word. Characters that mean something stay quoted. */
export function spelled(random: Seeded, word: string): string {
  const plain = PLAIN.test(word);
  switch (random.below(6)) {
    case 0:
      return plain ? word : single(word);
    case 1:
      return single(word);
    case 2:
      return double(word);
    default:
      return plain ? [...word].map((c) => random.pick(CHARACTER)(c)).join('') : single(word);
  }
}

const GAPS = [' ', ' ', '  ', '\t', ' \\\n', ' \\\n  '];

/** Words as a command. */
export function spelledCommand(random: Seeded, words: readonly string[]): string {
  const [first, ...rest] = words.map((word) =>
    random.chance(3) && PLAIN.test(word) ? word : spelled(random, word),
  );
  return rest.reduce((line, word) => line + random.pick(GAPS) + word, first!);
}
