import type { Scan } from './scan.ts';
import { addText, rawUntil } from './scan-word.ts';
import type { Part } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Everything arithmetic is written with; what else stands between the parentheses makes it unreadable. */
const ARITHMETIC = /^[\w\s+\-*/%<>=!&|^~?:,.()[\]#@;]$/;

/**
 * What stands in `((…))`, whose first parenthesis is next; null, and nothing taken, where the two do not close together
 * and so are no arithmetic.
 */
export function scanArithmetic(scan: Scan): Part[] | null {
  const { cursor } = scan;
  const before = cursor.at;
  cursor.next();
  cursor.next();
  const inner: Part[] = [];
  for (let depth = 0; ; ) {
    const c = cursor.peek();
    if (c === ')' && depth === 0) break;
    if (c === '') throw new Unreadable('A parenthesis is not closed.');
    if (c === '(') depth++;
    if (c === ')') depth--;
    scanPiece(scan, inner, c);
  }
  cursor.next();
  if (cursor.take(')')) return checked(inner);
  cursor.at = before;
  return null;
}

function scanPiece(scan: Scan, inner: Part[], c: string): void {
  const { cursor } = scan;
  if (c === '$') inner.push(...scan.dollar(true));
  else if (c === '`') inner.push(scan.backquotes(true));
  else if (c === '"') inner.push(...scan.double());
  else if (c === "'") addText(inner, `'${rawUntil(scan, cursor.next())}`, false);
  else if (c === '\\') addText(inner, cursor.next() + cursor.raw(), false);
  else addText(inner, cursor.next(), false);
}

function checked(inner: Part[]): Part[] {
  for (const part of inner) {
    if (part.kind !== 'text') continue;
    for (const c of part.text) if (!ARITHMETIC.test(c)) throw new Unreadable('The arithmetic is not plain.');
  }
  return inner;
}
