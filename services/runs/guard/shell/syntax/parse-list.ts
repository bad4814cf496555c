import { BLANK, META, type Scan } from './scan.ts';
import { refuseNewline } from './scan-word.ts';
import { NOTHING, type Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

/** Words that close what another word has opened. */
const CLOSING = /^(then|elif|else|fi|do|done|esac|\})$/;

/** Blanks and a comment behind them. */
export function skipBlanks({ cursor }: Scan): void {
  while (BLANK.test(cursor.peek())) cursor.next();
  if (cursor.peek() !== '#') return;
  // A comment ends with its line, whatever stands before the newline.
  const end = cursor.source.indexOf('\n', cursor.settle());
  cursor.at = end < 0 ? cursor.source.length : end;
}

export function skipLines(scan: Scan): void {
  for (skipBlanks(scan); scan.cursor.peek() === '\n'; skipBlanks(scan)) takeNewline(scan);
}

function takeNewline(scan: Scan): void {
  if (scan.waiting) refuseNewline(scan, '\n');
  scan.cursor.next();
  scan.heredocs();
}

/** The word that is next if it is plain and may be a reserved one; nothing is taken. */
export function peekWord({ cursor }: Scan): string {
  let word = '';
  for (let c = cursor.peek(0); c !== '' && !META.test(c); c = cursor.peek(word.length)) {
    if (word.length > 8 || /^['"\\$`]$/.test(c)) return '';
    word += c;
  }
  return word;
}

export function takeReserved(scan: Scan, word: string): void {
  skipLines(scan);
  if (peekWord(scan) !== word) throw new Unreadable(`\`${word}\` is missing.`);
  // Another grammar may not expect the word here, and take it for a command.
  scan.starts.add(scan.cursor.settle());
  scan.cursor.take(word);
}

/** Statements up to what closes them, which is not taken. */
export function parseList(scan: Scan): Statement {
  const statements: Statement[] = [];
  for (skipLines(scan); !isClosed(scan); skipLines(scan)) {
    const statement = parseChain(scan);
    skipBlanks(scan);
    const separator = separatorOf(scan);
    statements.push(separator === '&' ? { kind: 'background', body: statement } : statement);
    if (separator === '') break;
  }
  return { kind: 'sequence', statements };
}

function separatorOf(scan: Scan): string {
  const { cursor } = scan;
  const c = cursor.peek();
  if (c === '\n') {
    takeNewline(scan);
    return c;
  }
  const isCase = c === ';' && /^[;&]$/.test(cursor.peek(1));
  return !isCase && (c === ';' || c === '&') ? cursor.next() : '';
}

function isClosed(scan: Scan): boolean {
  const c = scan.cursor.peek();
  return c === '' || c === ')' || c === ';' || CLOSING.test(peekWord(scan));
}

function parseChain(scan: Scan): Statement {
  let left = parsePipeline(scan);
  for (skipBlanks(scan); ; skipBlanks(scan)) {
    const operator = scan.cursor.take('&&') ? '&&' : scan.cursor.take('||') ? '||' : null;
    if (operator === null) return left;
    skipLines(scan);
    left = { kind: 'chain', operator, left, right: parsePipeline(scan) };
  }
}

function parsePipeline(scan: Scan): Statement {
  const prefixes = takePrefixes(scan);
  // Only `!` and `time` may stand alone.
  const parts = [prefixes.length > 0 && isEnd(scan) ? NOTHING : scan.command()];
  for (skipBlanks(scan); isBar(scan); skipBlanks(scan)) {
    if (!scan.cursor.take('|&')) scan.cursor.next();
    skipLines(scan);
    takePrefixes(scan);
    parts.push(scan.command());
  }
  const body: Statement = parts.length === 1 ? parts[0]! : { kind: 'pipeline', parts };
  return prefixes.filter((word) => word === '!').length % 2 === 1 ? { kind: 'not', body } : body;
}

const isBar = ({ cursor }: Scan): boolean => cursor.peek() === '|' && cursor.peek(1) !== '|';

const isEnd = ({ cursor }: Scan): boolean => /^[;\n]?$/.test(cursor.peek());

/** `!` and `time`, as often as they are there. */
function takePrefixes(scan: Scan): string[] {
  const prefixes: string[] = [];
  for (let word = peekWord(scan); word === '!' || word === 'time'; word = peekWord(scan)) {
    scan.starts.add(scan.cursor.settle());
    scan.cursor.take(word);
    prefixes.push(word);
    skipBlanks(scan);
    while (word === 'time' && /^-[p-]$/.test(peekWord(scan))) {
      scan.cursor.take(peekWord(scan));
      skipBlanks(scan);
    }
  }
  return prefixes;
}
