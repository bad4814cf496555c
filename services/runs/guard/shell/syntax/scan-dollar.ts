import { demandBash, type Scan } from './scan.ts';
import { scanArithmetic } from './scan-arithmetic.ts';
import { addText, refuseNewline, scanAnsiC } from './scan-word.ts';
import type { Part } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Everything that a `$`, which is next, begins. A lone dollar sign is text. */
export function scanDollar(scan: Scan, quoted: boolean): Part[] {
  const { cursor } = scan;
  const c = cursor.peek(1);
  if (c === '(') return [cursor.work.within('depth', () => scanParenthesis(scan, quoted))];
  if (c === '[') throw new Unreadable('Arithmetic in `$[…]` is not read.');
  cursor.next();
  if (c === '{') return [cursor.work.within('depth', () => scanBraced(scan, quoted))];
  if (c === "'" && !quoted) {
    demandBash(scan);
    return [scanAnsiC(scan)];
  }
  if (c === '"' && !quoted) return scan.double();
  if (/^[A-Za-z_]$/.test(c)) return [{ kind: 'variable', name: scanName(scan), quoted }];
  if (/^[0-9@*#?$!-]$/.test(c)) return [{ kind: 'variable', name: cursor.next(), quoted }];
  return [{ kind: 'text', text: '$', quoted: true }];
}

function scanName({ cursor }: Scan): string {
  let name = '';
  while (/^\w$/.test(cursor.peek())) name += cursor.next();
  return name;
}

function scanParenthesis(scan: Scan, quoted: boolean): Part {
  const { cursor } = scan;
  cursor.next();
  if (cursor.peek(1) === '(') {
    const inner = scanArithmetic(scan);
    if (!inner) throw new Unreadable('It is not certain whether `$((` begins arithmetic or commands.');
    return { kind: 'arithmetic', inner, quoted };
  }
  cursor.next();
  const body = scan.script();
  if (!cursor.take(')')) throw new Unreadable('A substitution is not closed.');
  return { kind: 'substitution', body, quoted };
}

/** `{…}` behind a dollar sign. */
function scanBraced(scan: Scan, quoted: boolean): Part {
  const { cursor } = scan;
  cursor.next();
  const first = cursor.peek();
  if (/^[ \t\n|]$/.test(first)) throw new Unreadable('A substitution within braces is not read.');
  const marks = /^[#!]$/.test(first) && cursor.peek(1) !== '}' ? cursor.next() : '';
  const name = scanName(scan) || (/^[@*#?$!-]$/.test(cursor.peek()) ? cursor.next() : '');
  if (marks === '' && name !== '' && cursor.take('}')) return { kind: 'variable', name, quoted };
  const operator = marks + cursor.peek() + cursor.peek(1);
  const inner = scanBracedRest(scan, quoted);
  return { kind: 'expansion', name, operator, inner, quoted };
}

function scanBracedRest(scan: Scan, quoted: boolean): Part[] {
  const { cursor } = scan;
  const inner: Part[] = [];
  for (let c = cursor.peek(); c !== '}'; c = cursor.peek()) {
    if (c === '') throw new Unreadable('An expansion is not closed.');
    // Whether a single quote quotes here depends on the operator and on the quotes around.
    if (c === "'" || (c === '$' && cursor.peek(1) === "'"))
      throw new Unreadable('An expansion holds quotes.');
    if (c === '$') inner.push(...scan.dollar(quoted));
    else if (c === '`') inner.push(scan.backquotes(quoted));
    else if (c === '"') inner.push(...scan.double());
    else if (c === '\\') addText(inner, cursor.next() + cursor.raw(), true);
    else addText(inner, takeChecked(scan), quoted);
  }
  cursor.next();
  return inner;
}

function takeChecked(scan: Scan): string {
  const c = scan.cursor.next();
  refuseNewline(scan, c);
  return c;
}

/** `"…"`, which is next. */
export function scanDouble(scan: Scan): Part[] {
  const { cursor } = scan;
  cursor.next();
  const parts: Part[] = [{ kind: 'text', text: '', quoted: true }];
  for (let c = cursor.peek(); c !== '"'; c = cursor.peek()) {
    if (c === '') throw new Unreadable('A quote is not closed.');
    scanQuotedPiece(scan, parts, c);
  }
  cursor.next();
  return parts;
}

/** A piece of what stands in double quotes or in a here-document. */
export function scanQuotedPiece(scan: Scan, parts: Part[], c: string, escapable = /^[$`"\\]$/): void {
  const { cursor } = scan;
  if (c === '$') parts.push(...scan.dollar(true));
  else if (c === '`') parts.push(scan.backquotes(true));
  else if (c !== '\\') addText(parts, takeChecked(scan), true);
  else {
    cursor.next();
    const escaped = cursor.raw();
    addText(parts, escapable.test(escaped) ? escaped : `\\${escaped}`, true);
  }
}
