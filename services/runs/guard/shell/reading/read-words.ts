import type { Part, ShellWord, Statement } from '../syntax/statement.ts';
import { partsOf } from '../syntax/walk.ts';
import { expandWhole } from '../words/expand.ts';
import { literalText } from '../words/word.ts';
import { shownText } from './findings.ts';
import type { Places } from './paths.ts';
import { isSecretName } from './secrets.ts';
import { type Ends, forked, type Scope, type Session, valuesAt } from './session.ts';

/** A place in a line: what is known there, and the means to read a statement. */
export interface Point {
  session: Session;
  scope: Scope;
  places: Places;
  read(statement: Statement, scope: Scope, places: Places): Ends;
}

/** Adds what the expansion of words does: the commands of their substitutions, and secrets that they show. */
export function readWords(point: Point, words: readonly ShellWord[]): void {
  for (const word of words) for (const part of partsOf(word)) readPart(point, part, word.shown);
}

function readPart(point: Point, part: Part, shown: string): void {
  const { session, scope, places } = point;
  switch (part.kind) {
    case 'substitution':
    case 'process':
      point.read(part.body, { ...forked(scope), input: { kind: 'runtime' } }, places);
      return;
    case 'variable':
    case 'expansion':
      if (isSecretName(part.name))
        session.findings.add(['secret_access'], `\`${shownText(shown)}\` may read secrets.`);
      if (part.kind === 'expansion') readExpansion(point, part, shown);
      return;
    case 'arithmetic':
      evaluate(point, part.inner, shown);
      return;
    default:
      return;
  }
}

function readExpansion(point: Point, part: Extract<Part, { kind: 'expansion' }>, shown: string): void {
  const texts = part.inner.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : []));
  if (texts.some((text) => text.includes('@P'))) {
    anything(point, shown, 'expands a text as a prompt');
    return;
  }
  // A subscript or an offset is arithmetic.
  if (/^[#!]?[[:]/.test(part.operator) && !/^:[-=?+]/.test(part.operator)) evaluate(point, part.inner, shown);
}

function anything({ session }: Point, shown: string, why: string): void {
  session.findings.addEverything(`\`${shownText(shown)}\` ${why}, so it may do anything.`);
}

/** `((…))`: its text, and the commands of the substitutions in it. */
export function readArithmetic(point: Point, inner: readonly Part[]): void {
  readWords(point, [{ parts: [...inner], shown: '((…))' }]);
  evaluate(point, inner, '((…))');
}

/** Names that hold numbers whatever the line does. */
const NUMBERS =
  /^([#?$!0-9]|RANDOM|SRANDOM|SECONDS|LINENO|UID|EUID|PPID|EPOCHSECONDS|EPOCHREALTIME|COLUMNS|LINES)$/;

/**
 * The shell evaluates the values of variables in arithmetic, and runs substitutions in their subscripts. A value that is
 * only known at run time is as a script that is.
 */
function evaluate(point: Point, inner: readonly Part[], shown: string): void {
  const { survey } = point.scope;
  if (inner.every((part) => isNumber(part, survey))) return;
  const { bracket, substitution } = survey.holds;
  if ((bracket && substitution) || inner.some(holdsSubstitution)) {
    anything(point, shown, 'may evaluate a text with a substitution');
    return;
  }
  point.session.findings.add(['process_launch'], `\`${shownText(shown)}\` evaluates a text.`);
}

const holdsSubstitution = (part: Part): boolean => part.kind === 'text' && /[$`]/.test(part.text);

function isNumber(part: Part, survey: Scope['survey']): boolean {
  const isName = (name: string) =>
    NUMBERS.test(name) ||
    (survey.assigned.has(name) && !survey.notNumbers.has(name) && !survey.assignsUnseen);
  switch (part.kind) {
    case 'text':
      return !holdsSubstitution(part) && (part.text.match(/(?<![\w#])[A-Za-z_]\w*/g) ?? []).every(isName);
    case 'variable':
      return isName(part.name);
    case 'expansion':
      return part.operator.startsWith('#');
    default:
      return part.kind === 'arithmetic';
  }
}

const NUMERIC_TEST = /^-(eq|ne|lt|le|gt|ge)$/;

/** `[[ … ]]`: its operands may be arithmetic or name a variable. */
export function readCondition(point: Point, words: readonly ShellWord[]): void {
  readWords(point, words);
  for (const [i, { shown }] of words.entries()) {
    const operands = NUMERIC_TEST.test(shown)
      ? [words[i - 1], words[i + 1]]
      : shown === '-v'
        ? [words[i + 1]]
        : [];
    for (const operand of operands) if (operand) evaluateWord(point, operand);
  }
}

function evaluateWord(point: Point, word: ShellWord): void {
  const value = expandWhole(word, valuesAt(point.scope, point.places, point.session.roots));
  if (/^-?\d+$/.test(literalText(value) ?? '')) return;
  evaluate(point, word.parts, word.shown);
}
