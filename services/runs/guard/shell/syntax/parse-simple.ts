import { skipBlanks, skipLines } from './parse-list.ts';
import { demandBash, META, type Scan } from './scan.ts';
import { scanHeredocStart } from './scan-heredoc.ts';
import type { Redirect, ShellWord, Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Longest first: the shell takes the longest that fits. */
const REDIRECTS = ['&>>', '<<<', '<<-', '&>', '<<', '<&', '<>', '>>', '>&', '>|', '<', '>'] as const;

/** What stands before `<` or `>` and names a descriptor. */
const DESCRIPTOR = /^(\d+|\{[A-Za-z_]\w*\})$/;

const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/;
const NAME = /^[^\s'"\\$`=(){}<>|&;]+$/;

/** The name that a word assigns to, as `X=1` does; null if it assigns nothing. */
export function assignedName({ parts }: ShellWord): string | null {
  const shape = parts.map((part) => (part.kind === 'text' && !part.quoted ? part.text : '\0')).join('');
  return ASSIGNMENT.exec(shape)?.[1] ?? null;
}

/** A command with its assignments, words and redirections; or the definition of a function. */
export function parseSimple(scan: Scan): Statement {
  const words: ShellWord[] = [];
  const redirects: Redirect[] = [];
  let named = false;
  let descriptor = '';
  for (skipBlanks(scan); ; skipBlanks(scan)) {
    const start = scan.cursor.settle();
    const redirect = parseRedirect(scan, descriptor);
    descriptor = '';
    if (redirect) {
      redirects.push(redirect);
      continue;
    }
    if (scan.cursor.peek() === '(') return parseFunction(scan, words, redirects);
    const word = scan.word();
    if (word.shown === '') break;
    if (isDescriptor(scan, word)) {
      descriptor = word.shown;
      continue;
    }
    if (!named) scan.starts.add(start);
    named ||= !isAssignment(word);
    words.push(word);
  }
  if (words.length + redirects.length === 0) throw new Unreadable('A command is missing.');
  return { kind: 'simple', words, redirects };
}

function isAssignment(word: ShellWord): boolean {
  if (assignedName(word) !== null) return true;
  const first = word.parts[0];
  // The shell would take everything up to the bracket's end as one word, blanks included.
  if (first?.kind === 'text' && !first.quoted && /^[A-Za-z_]\w*\[/.test(first.text)) {
    throw new Unreadable('A command begins with a bracket behind a name.');
  }
  return false;
}

function isDescriptor({ cursor }: Scan, { shown }: ShellWord): boolean {
  const redirects = /^[<>]$/.test(cursor.peek()) && cursor.peek(1) !== '(';
  if (redirects && /^\{[A-Za-z_]\w*\[/.test(shown)) throw new Unreadable('A descriptor is kept in an array.');
  return redirects && DESCRIPTOR.test(shown);
}

/** A redirection if one is next; `descriptor` stood in front of it. */
function parseRedirect(scan: Scan, descriptor: string): Redirect | null {
  const { cursor } = scan;
  if (!/^[<>&]$/.test(cursor.peek()) || (cursor.peek() !== '&' && cursor.peek(1) === '(')) return null;
  const operator = REDIRECTS.find((text) => cursor.take(text));
  if (operator === undefined) return null;
  // Elsewhere the `&` ends the command, and what follows the target is another one.
  if (operator.startsWith('&')) demandBash(scan);
  if (operator === '<<' || operator === '<<-') return scanHeredocStart(scan, operator, descriptor);
  skipBlanks(scan);
  const target = scan.word();
  if (target.shown === '') throw new Unreadable('A redirection has no target.');
  return { operator, descriptor, target, body: null };
}

/** Redirections behind a group, a loop or the like. */
export function parseRedirects(scan: Scan): Redirect[] {
  const redirects: Redirect[] = [];
  for (skipBlanks(scan); ; skipBlanks(scan)) {
    const redirect = parseRedirect(scan, takeDescriptor(scan));
    if (!redirect) return redirects;
    redirects.push(redirect);
  }
}

function takeDescriptor(scan: Scan): string {
  const before = scan.cursor.at;
  let text = '';
  while (scan.cursor.peek() !== '' && !META.test(scan.cursor.peek())) text += scan.cursor.next();
  if (isDescriptor(scan, { parts: [], shown: text })) return text;
  scan.cursor.at = before;
  return '';
}

/** `name() body`, whose parenthesis is next. */
function parseFunction(scan: Scan, words: ShellWord[], redirects: Redirect[]): Statement {
  const [word, more] = words;
  if (!word || more || redirects.length > 0 || !NAME.test(word.shown)) {
    throw new Unreadable('A parenthesis stands where none may be.');
  }
  return parseFunctionRest(scan, word.shown);
}

/** Parentheses, if they are there, and the body. */
export function parseFunctionRest(scan: Scan, name: string): Statement {
  skipBlanks(scan);
  if (scan.cursor.take('(')) {
    skipBlanks(scan);
    if (!scan.cursor.take(')')) throw new Unreadable('A parenthesis stands where none may be.');
  }
  skipLines(scan);
  const body = scan.command();
  if (body.kind === 'simple') throw new Unreadable('The body of a function is no group.');
  return { kind: 'function', name, body };
}
