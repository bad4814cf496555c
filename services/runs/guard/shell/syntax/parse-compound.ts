import { parseCondition } from './parse-condition.ts';
import { parseList, peekWord, skipBlanks, skipLines, takeReserved } from './parse-list.ts';
import { parseFunctionRest, parseRedirects, parseSimple } from './parse-simple.ts';
import { demandBash, type Scan } from './scan.ts';
import { scanArithmetic } from './scan-arithmetic.ts';
import { NOTHING, type ShellWord, type Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

const COMPOUND: Record<string, (scan: Scan) => Statement> = {
  '{': parseGroup,
  if: parseIf,
  while: parseWhile,
  until: parseWhile,
  for: parseFor,
  select: parseFor,
  case: parseCase,
  function: parseNamedFunction,
  coproc: parseCoprocess,
  '[[': parseCondition,
};

/** One command, simple or compound, with its redirections. */
export function parseCommand(scan: Scan): Statement {
  skipBlanks(scan);
  const isOpen = scan.cursor.peek() === '(';
  const word = peekWord(scan);
  const parse = isOpen ? parseParenthesis : Object.hasOwn(COMPOUND, word) ? COMPOUND[word] : undefined;
  if (!parse) return parseSimple(scan);
  if (word === '[[') demandBash(scan);
  scan.starts.add(scan.cursor.settle());
  if (!isOpen) scan.cursor.take(word);
  const body = scan.cursor.work.within('depth', () => parse(scan));
  const redirects = parseRedirects(scan);
  return redirects.length > 0 ? { kind: 'redirected', body, redirects } : body;
}

function parseParenthesis(scan: Scan): Statement {
  const inner = scan.cursor.peek(1) === '(' ? scanArithmetic(scan) : null;
  if (inner) {
    demandBash(scan);
    return { kind: 'arithmetic', inner };
  }
  scan.cursor.next();
  const body = parseList(scan);
  if (!scan.cursor.take(')')) throw new Unreadable('A parenthesis is not closed.');
  return { kind: 'subshell', body };
}

function parseGroup(scan: Scan): Statement {
  const body = parseList(scan);
  takeReserved(scan, '}');
  return body;
}

function parseIf(scan: Scan): Statement {
  const condition = parseList(scan);
  takeReserved(scan, 'then');
  const then = parseList(scan);
  return { kind: 'if', condition, then, otherwise: parseElse(scan) };
}

function parseElse(scan: Scan): Statement {
  skipLines(scan);
  if (peekWord(scan) === 'elif') {
    scan.cursor.take('elif');
    return scan.cursor.work.within('depth', () => parseIf(scan));
  }
  let otherwise = NOTHING;
  if (peekWord(scan) === 'else') {
    scan.cursor.take('else');
    otherwise = parseList(scan);
  }
  takeReserved(scan, 'fi');
  return otherwise;
}

function parseWhile(scan: Scan): Statement {
  const condition = parseList(scan);
  return { kind: 'while', condition, body: parseBody(scan) };
}

function parseBody(scan: Scan): Statement {
  takeReserved(scan, 'do');
  const body = parseList(scan);
  takeReserved(scan, 'done');
  return body;
}

function parseFor(scan: Scan): Statement {
  skipBlanks(scan);
  if (scan.cursor.peek() === '(') return parseCounting(scan);
  const name = scan.word().shown;
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Unreadable('A loop has no plain variable.');
  skipLines(scan);
  const words = peekWord(scan) === 'in' ? parseValues(scan) : null;
  skipBlanks(scan);
  scan.cursor.take(';');
  return { kind: 'for', name, words, body: parseBody(scan) };
}

function parseValues(scan: Scan): ShellWord[] {
  scan.cursor.take('in');
  const words: ShellWord[] = [];
  for (skipBlanks(scan); !/^[;\n]?$/.test(scan.cursor.peek()); skipBlanks(scan)) {
    const word = scan.word();
    if (word.shown === '') throw new Unreadable('The values of a loop are not plain.');
    words.push(word);
  }
  return words;
}

/** `for ((…; …; …))`. */
function parseCounting(scan: Scan): Statement {
  const inner = scan.cursor.peek(1) === '(' ? scanArithmetic(scan) : null;
  if (!inner) throw new Unreadable('A loop has no plain variable.');
  skipBlanks(scan);
  scan.cursor.take(';');
  return { kind: 'while', condition: { kind: 'arithmetic', inner }, body: parseBody(scan) };
}

function parseCase(scan: Scan): Statement {
  skipBlanks(scan);
  const words = [scan.word()];
  takeReserved(scan, 'in');
  const bodies: Statement[] = [];
  for (skipLines(scan); peekWord(scan) !== 'esac'; skipLines(scan)) {
    words.push(...parsePatterns(scan));
    bodies.push(parseList(scan));
    skipLines(scan);
    if (!takeCaseEnd(scan) && peekWord(scan) !== 'esac') throw new Unreadable('A case is not closed.');
  }
  scan.cursor.take('esac');
  return { kind: 'case', words, bodies };
}

const takeCaseEnd = ({ cursor }: Scan): boolean => [';;&', ';;', ';&'].some((text) => cursor.take(text));

function parsePatterns(scan: Scan): ShellWord[] {
  const { cursor } = scan;
  const words: ShellWord[] = [];
  cursor.take('(');
  do {
    skipBlanks(scan);
    const word = scan.word();
    if (word.shown === '') throw new Unreadable('A pattern is missing.');
    words.push(word);
    skipBlanks(scan);
  } while (cursor.take('|'));
  if (!cursor.take(')')) throw new Unreadable('A pattern is not closed.');
  return words;
}

function parseNamedFunction(scan: Scan): Statement {
  skipBlanks(scan);
  return parseFunctionRest(scan, scan.word().shown);
}

/** `coproc command` or `coproc NAME { … }`; a name before a simple command would be the command. */
function parseCoprocess(scan: Scan): Statement {
  skipBlanks(scan);
  return { kind: 'background', body: parseCommand(scan) };
}
