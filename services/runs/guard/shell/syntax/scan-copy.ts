import type { Scan } from './scan.ts';
import { scanQuotedPiece } from './scan-dollar.ts';
import { addText, refuseNewline } from './scan-word.ts';
import type { Part, ShellWord, Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Reads another text as `scan` reads its own, with nothing remembered of where commands begin. */
type CopyScan = (source: string) => Scan;

/** Backquotes, which are next. The shell takes their backslashes off first and reads what is left. */
export function scanBackquotes(scan: Scan, quoted: boolean, copyOf: CopyScan): Part {
  const { cursor } = scan;
  const start = cursor.at;
  cursor.next();
  const text = unescaped(scan, quoted ? /^[$`\\"]$/ : /^[$`\\]$/);
  scan.copied.push([start, cursor.at]);
  const copy = copyOf(text);
  const body = cursor.work.within('depth', () => wholeScript(copy));
  return { kind: 'substitution', body, quoted };
}

function unescaped(scan: Scan, escapable: RegExp): string {
  const { cursor } = scan;
  let text = '';
  for (let c = cursor.next(); c !== '`'; c = cursor.next()) {
    if (c === '') throw new Unreadable('A backquote is not closed.');
    refuseNewline(scan, c);
    if (c !== '\\') text += c;
    else {
      const escaped = cursor.raw();
      text += escapable.test(escaped) ? escaped : `\\${escaped}`;
    }
  }
  return text;
}

/** All of a text as statements. */
export function wholeScript(scan: Scan): Statement {
  const body = scan.script();
  if (scan.cursor.peek() !== '') throw new Unreadable('A part of the line does not belong to the rest.');
  return body;
}

/** What a here-document holds, where its delimiter is not quoted. */
export function scanHeredocText(body: string, copyOf: CopyScan): ShellWord {
  const copy = copyOf(body);
  const parts: Part[] = [];
  addText(parts, '', true);
  for (let c = copy.cursor.peek(); c !== ''; c = copy.cursor.peek())
    scanQuotedPiece(copy, parts, c, /^[$`\\]$/);
  return { parts, shown: body };
}
