import { decodeAnsiC } from './ansi-c.ts';
import { META, type Scan, type WordMode } from './scan.ts';
import type { Part, ShellWord } from './statement.ts';
import { Unreadable } from './unreadable.ts';

const ARRAY_NAME = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=$/;

/** One word, which may be empty where none begins. */
export function scanWord(scan: Scan, mode: WordMode = 'usual'): ShellWord {
  const { cursor } = scan;
  cursor.work.count('words');
  const start = cursor.settle();
  const parts: Part[] = [];
  for (let c = cursor.peek(); c !== ''; c = cursor.peek()) {
    if (isSubstitutionOfProcess(scan)) parts.push(scanProcess(scan));
    else if (c === '(' && isArrayName(parts)) parts.push(scanArray(scan));
    else if (mode === 'pattern' && (c === '(' || c === '|')) scanParentheses(scan, parts, c);
    else if (META.test(c)) break;
    else scanPiece(scan, parts, c);
  }
  return { parts, shown: cursor.source.slice(start, cursor.at) };
}

function scanPiece(scan: Scan, parts: Part[], c: string): void {
  const { cursor } = scan;
  if (c === '$') parts.push(...scan.dollar(false));
  else if (c === '`') parts.push(scan.backquotes(false));
  else if (c === '"') parts.push(...scan.double());
  else if (c === "'") parts.push(scanSingle(scan));
  else if (c === '\\') parts.push(scanEscape(scan));
  else addText(parts, cursor.next(), false);
}

/** Text is gathered in one part as long as it is quoted alike. */
export function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.kind === 'text' && last.quoted === quoted) last.text += text;
  else parts.push({ kind: 'text', text, quoted });
}

function scanEscape({ cursor }: Scan): Part {
  cursor.next();
  const text = cursor.raw();
  // Bash keeps it at the end of some texts and drops it at the end of others.
  if (text === '') throw new Unreadable('The line ends with a backslash.');
  return { kind: 'text', text, quoted: true };
}

function scanSingle(scan: Scan): Part {
  scan.cursor.next();
  return { kind: 'text', text: rawUntil(scan, "'"), quoted: true };
}

/** Everything up to `end`, which is taken too. */
export function rawUntil(scan: Scan, end: string): string {
  const { cursor } = scan;
  const close = cursor.source.indexOf(end, cursor.at);
  if (close < 0) throw new Unreadable('A quote is not closed.');
  const text = cursor.source.slice(cursor.at, close);
  cursor.at = close + 1;
  refuseNewline(scan, text);
  return text;
}

/** A here-document that waits for its body makes the next newline begin it; a newline within quotes would be ambiguous. */
export function refuseNewline({ pending, waiting }: Scan, text: string): void {
  if ((waiting || pending.length > 0) && text.includes('\n')) {
    throw new Unreadable('A here-document stands before something of several lines.');
  }
}

/** `$'…'`; the dollar sign is taken. */
export function scanAnsiC(scan: Scan): Part {
  const { cursor } = scan;
  cursor.next();
  const start = cursor.at;
  for (let c = cursor.raw(); c !== "'"; c = cursor.raw()) {
    if (c === '') throw new Unreadable('A quote is not closed.');
    if (c === '\\') cursor.raw();
  }
  const inner = cursor.source.slice(start, cursor.at - 1);
  refuseNewline(scan, inner);
  return { kind: 'text', text: decodeAnsiC(inner), quoted: true };
}

function isSubstitutionOfProcess({ cursor }: Scan): boolean {
  return cursor.peek(1) === '(' && /^[<>]$/.test(cursor.peek());
}

function scanProcess(scan: Scan): Part {
  scan.cursor.next();
  scan.cursor.next();
  const body = scan.script();
  if (!scan.cursor.take(')')) throw new Unreadable('A substitution is not closed.');
  return { kind: 'process', body };
}

function isArrayName(parts: readonly Part[]): boolean {
  const [only, more] = parts;
  return more === undefined && only?.kind === 'text' && !only.quoted && ARRAY_NAME.test(only.text);
}

function scanArray(scan: Scan): Part {
  const { cursor } = scan;
  cursor.next();
  const words: ShellWord[] = [];
  while (!cursor.take(')')) {
    if (cursor.peek() === '#') throw new Unreadable('A comment stands within an array.');
    if (/^[ \t\n]$/.test(cursor.peek())) refuseNewline(scan, cursor.next());
    else words.push(nonEmpty(scan.word()));
  }
  return { kind: 'array', words };
}

function nonEmpty(word: ShellWord): ShellWord {
  if (word.shown === '') throw new Unreadable('An array is not closed.');
  return word;
}

/** A group of a pattern, which may hold bars but no blanks. */
function scanParentheses(scan: Scan, parts: Part[], c: string): void {
  const { cursor } = scan;
  addText(parts, cursor.next(), false);
  if (c !== '(') return;
  for (let inner = cursor.peek(); inner !== ')'; inner = cursor.peek()) {
    if (inner === '(' || inner === '|')
      cursor.work.within('depth', () => scanParentheses(scan, parts, inner));
    else if (META.test(inner) || inner === '') throw new Unreadable('A pattern is not closed.');
    else scanPiece(scan, parts, inner);
  }
  addText(parts, cursor.next(), false);
}
