import type { Scan } from './scan.ts';
import type { ShellWord, Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Operators whose right side is a pattern. */
const PATTERN = /^(=~|==?|!=)$/;

/** `[[ … ]]`, whose opening is taken. Nothing in it runs but substitutions. */
export function parseCondition(scan: Scan): Statement {
  const { cursor } = scan;
  const words: ShellWord[] = [];
  for (let last = ''; last !== ']]'; last = words.at(-1)!.shown) {
    while (/^[ \t\n]$/.test(cursor.peek())) cursor.next();
    words.push(isSign(scan, last) ? signWord(cursor.next()) : conditionWord(scan, last));
  }
  return { kind: 'condition', words };
}

function isSign({ cursor }: Scan, last: string): boolean {
  const c = cursor.peek();
  if (/^[<>]$/.test(c)) return cursor.peek(1) !== '(';
  return /^[)&|]$/.test(c) || (c === '(' && !PATTERN.test(last));
}

const signWord = (shown: string): ShellWord => ({
  parts: [{ kind: 'text', text: shown, quoted: true }],
  shown,
});

function conditionWord(scan: Scan, last: string): ShellWord {
  const word = scan.word(PATTERN.test(last) ? 'pattern' : 'usual');
  if (word.shown === '') throw new Unreadable('A condition is not closed.');
  return word;
}
