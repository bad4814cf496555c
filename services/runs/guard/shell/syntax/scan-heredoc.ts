import { BLANK, META, type PendingHeredoc, type Scan } from './scan.ts';
import { rawUntil } from './scan-word.ts';
import type { Redirect, ShellWord } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** The delimiter behind `<<` or `<<-`, whose body comes with the next newline. */
export function scanHeredocStart(scan: Scan, operator: string, descriptor: string): Redirect {
  const { cursor, pending } = scan;
  while (BLANK.test(cursor.peek())) cursor.next();
  const { text, quoted, shown } = scanDelimiter(scan);
  const empty: ShellWord = { parts: [], shown: '' };
  const redirect: Redirect = { operator, descriptor, target: { parts: [], shown }, body: empty };
  pending.push({ delimiter: text, quoted, stripTabs: operator === '<<-', redirect });
  return redirect;
}

/** Nothing is expanded in a delimiter, and any quote in it keeps the body as it stands. */
function scanDelimiter(scan: Scan): { text: string; quoted: boolean; shown: string } {
  const { cursor } = scan;
  const start = cursor.settle();
  let text = '';
  let quoted = false;
  for (let c = cursor.peek(); c !== '' && !META.test(c); c = cursor.peek()) {
    if (c === '$' || c === '`') throw new Unreadable('The delimiter of a here-document is not plain.');
    cursor.next();
    quoted ||= /^['"\\]$/.test(c);
    if (c === "'" || c === '"') text += plain(rawUntil(scan, c));
    else text += c === '\\' ? cursor.raw() : c;
  }
  const shown = cursor.source.slice(start, cursor.at);
  if (shown === '') throw new Unreadable('A here-document has no delimiter.');
  return { text, quoted, shown };
}

function plain(text: string): string {
  if (/[\\$`\n]/.test(text)) throw new Unreadable('The delimiter of a here-document is not plain.');
  return text;
}

/** Takes the bodies that begin here, behind a newline, in the order in which they were announced. */
export function scanHeredocBodies(
  scan: Scan,
  inSubstitution: boolean,
  read: (body: string) => ShellWord,
): void {
  const { cursor, pending, copied } = scan;
  for (const heredoc of pending.splice(0)) {
    const start = cursor.at;
    const body = scanBody(scan, heredoc, inSubstitution);
    copied.push([start, cursor.at]);
    heredoc.redirect.body = heredoc.quoted
      ? { parts: [{ kind: 'text', text: body, quoted: true }], shown: body }
      : read(body);
  }
}

function scanBody(scan: Scan, heredoc: PendingHeredoc, inSubstitution: boolean): string {
  const { delimiter, quoted, stripTabs } = heredoc;
  let body = '';
  while (scan.cursor.at < scan.cursor.source.length) {
    const whole = quoted ? rawLine(scan) : joinedLine(scan);
    const line = stripTabs ? whole.replace(/^\t+/, '') : whole;
    if (line === delimiter) return body;
    // Within a substitution the shell also takes a delimiter that a parenthesis follows.
    if (inSubstitution && line.startsWith(delimiter) && line.includes(')')) break;
    body += `${line}\n`;
  }
  throw new Unreadable('A here-document is not closed.');
}

function rawLine({ cursor }: Scan): string {
  const found = cursor.source.indexOf('\n', cursor.at);
  const end = found < 0 ? cursor.source.length : found;
  const line = cursor.source.slice(cursor.at, end);
  cursor.at = end + 1;
  return line;
}

/** A line with its continuations; its other backslashes stay with what they stand before. */
function joinedLine({ cursor }: Scan): string {
  let line = '';
  for (let c = cursor.next(); c !== '\n' && c !== ''; c = cursor.next())
    line += c === '\\' ? c + cursor.raw() : c;
  return line;
}
