import { assignedName } from '../syntax/parse-simple.ts';
import type { Part, ShellWord, Statement } from '../syntax/statement.ts';
import { partsOf, statementsIn, wordsOf } from '../syntax/walk.ts';
import { expandWhole, expandWord } from '../words/expand.ts';
import { dropStart, literalText, type Word } from '../words/word.ts';
import { givesInput } from './read-redirects.ts';

/** What can be said of a line before its commands are read one after the other. */
export interface Survey {
  /** How often each variable is assigned. */
  assigned: Map<string, number>;
  /** The value of variables that are assigned a plain one. */
  literals: Map<string, Word>;
  /** Variables with a value, somewhere, that is not a plain number. */
  notNumbers: Set<string>;
  functions: Set<string>;
  /** Some command may assign variables in a way that is not seen. */
  assignsUnseen: boolean;
  /** Some command may change the folder. */
  moves: boolean;
  /** Some command may define functions, or drop them, in a way that is not seen. */
  definesUnseen: boolean;
  /** Some command gives the shell another input. */
  movesInput: boolean;
  /** Texts of the line hold what, evaluated as arithmetic, would run a command: `a[$(…)]`. */
  holds: { bracket: boolean; substitution: boolean };
}

const MOVES = /^(cd|pushd|popd|eval|source|\.|command|builtin|trap)$/;
const DEFINES = /^(eval|source|\.|unset|trap|command|builtin)$/;
const ASSIGNS =
  /^(read|mapfile|readarray|getopts|let|unset|eval|source|\.|alias|trap|command|builtin|enable|wait|printf)$/;
const DECLARES = /^(export|declare|typeset|local|readonly)$/;
/** Arguments with which these commands neither assign nor move. */
const HARMLESS: Record<string, RegExp> = { command: /^-[vV]$/, builtin: /^-[vV]$/, printf: /^[^-]/ };
const CHANGED =
  /(?:\+\+|--)\s*([A-Za-z_]\w*)|(?<!\w)([A-Za-z_]\w*)(?:\[[^\]]{0,80}\])?\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/g;

/** `outer`: of the line that holds this text, whose variables and functions may be known within it. */
export function surveyOf(body: Statement, outer: Survey | null = null): Survey {
  const survey = surveyWithin(outer);
  const statements = [...statementsIn(body)];
  for (const statement of statements) {
    if (statement.kind === 'simple') surveyAssignments(statement.words, survey);
    if (statement.kind === 'simple') survey.movesInput ||= movesInput(statement);
    if (statement.kind === 'for') note(statement.name, isNumbers(statement.words), survey);
    if (statement.kind === 'function') survey.functions.add(statement.name);
    if (statement.kind === 'arithmetic') surveyArithmetic(statement.inner, survey);
    for (const word of wordsOf(statement)) for (const part of partsOf(word)) surveyPart(part, survey);
  }
  for (const statement of statements) if (statement.kind === 'simple') surveyCommand(statement.words, survey);
  // Other separators cut values that are not quoted into other words.
  survey.assignsUnseen ||= survey.assigned.has('IFS');
  return survey;
}

function surveyWithin(outer: Survey | null): Survey {
  return {
    ...{ assigned: new Map(outer?.assigned), literals: new Map(outer?.literals) },
    ...{ notNumbers: new Set(outer?.notNumbers), functions: new Set(outer?.functions) },
    assignsUnseen: outer?.assignsUnseen ?? false,
    moves: (outer?.moves ?? false) && outer!.functions.size > 0,
    definesUnseen: outer?.definesUnseen ?? false,
    movesInput: false,
    holds: { bracket: false, substitution: false, ...outer?.holds },
  };
}

/** `exec` with an input and no program; also behind `command` and the like. */
function movesInput({ words, redirects }: Extract<Statement, { kind: 'simple' }>): boolean {
  return redirects.some(givesInput) && words.some((word) => /^(exec|null)$/.test(`${literalOf(word)}`));
}

function note(name: string, isNumber: boolean, { assigned, notNumbers }: Survey): void {
  assigned.set(name, (assigned.get(name) ?? 0) + 1);
  if (!isNumber) notNumbers.add(name);
}

function surveyAssignments(words: readonly ShellWord[], survey: Survey): void {
  const named = words.findIndex((word) => assignedName(word) === null);
  for (const word of named < 0 ? words : words.slice(0, named)) noteAssignment(word, survey);
}

/** A name that a variable holds is taken for it where the variable has one plain value. */
function surveyCommand(words: readonly ShellWord[], survey: Survey): void {
  const { assigned, literals } = survey;
  const rest = words.slice(words.findIndex((word) => assignedName(word) === null));
  const [first, second] = rest;
  if (!first || assignedName(first) !== null) return;
  const valued = expandWord(first, (name) =>
    assigned.get(name) === 1 ? (literals.get(name) ?? null) : null,
  );
  const name = literalText(valued[0]);
  const argument = valued[1] ? literalText(valued[1]) : second ? literalOf(second) : null;
  if (name !== null && DECLARES.test(name)) for (const word of rest.slice(1)) surveyDeclared(word, survey);
  if (name !== null && argument !== null && HARMLESS[name]?.test(argument)) return;
  survey.moves ||= name === null || (MOVES.test(name) && !(name === 'trap' && trapsEnd(rest)));
  survey.assignsUnseen ||= name === null || ASSIGNS.test(name);
  survey.definesUnseen ||= name === null || DEFINES.test(name);
}

/** A trap that runs when all else is over moves nothing else. */
const trapsEnd = ([, , ...signals]: readonly ShellWord[]): boolean =>
  signals.length > 0 && signals.every(({ shown }) => /^(EXIT|0)$/.test(shown));

const literalOf = (word: ShellWord): string | null => literalText(expandWord(word, () => null)[0]);

/**
 * An argument of `declare` and the like: a name that is quoted, of several words or made up at run time may assign any
 * variable, and some options make another value of what is assigned, or another name.
 */
function surveyDeclared(word: ShellWord, survey: Survey): void {
  noteAssignment(word, survey);
  if (assignedName(word) !== null) return;
  const texts = expandWord(word, () => null).map(literalText);
  survey.assignsUnseen ||= texts.some((text) => text === null || /^[-+].*[nilcu]|=/.test(text));
}

function noteAssignment(word: ShellWord, survey: Survey): void {
  const name = assignedName(word);
  if (name === null) return;
  note(name, hasNumber(word), survey);
  const whole = expandWhole(word, () => null);
  if (whole.kind === 'literal') survey.literals.set(name, dropStart(whole, whole.text.indexOf('=') + 1));
}

function hasNumber({ parts }: ShellWord): boolean {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return false;
  const value = first.text.slice(first.text.indexOf('=') + 1);
  return /^-?\d*$/.test(value) && rest.every(isNumber);
}

function isNumber(part: Part): boolean {
  if (part.kind === 'text') return /^\d*$/.test(part.text);
  return part.kind === 'arithmetic' || (part.kind === 'expansion' && part.operator.startsWith('#'));
}

function isNumbers(words: readonly ShellWord[] | null): boolean {
  return words?.every(({ shown }) => /^(-?\d+|\{\d+\.\.\d+\})$/.test(shown)) ?? false;
}

function surveyPart(part: Part, survey: Survey): void {
  if (part.kind === 'text') {
    survey.holds.bracket ||= part.text.includes('[');
    survey.holds.substitution ||= /[$`]/.test(part.text);
  }
  if (part.kind === 'arithmetic') surveyArithmetic(part.inner, survey);
  if (part.kind === 'expansion' && part.operator.includes('=')) note(part.name, false, survey);
  // An element of an array, or what a variable names.
  if (part.kind === 'expansion' && /^#?[[!]/.test(part.operator))
    survey.assignsUnseen ||= holdsSign(part.inner);
}

const holdsSign = (inner: readonly Part[]): boolean =>
  inner.some((part) => part.kind === 'text' && part.text.includes('='));

function surveyArithmetic(inner: readonly Part[], survey: Survey): void {
  for (const part of inner) {
    if (part.kind !== 'text') continue;
    for (const [, before, behind] of part.text.matchAll(CHANGED)) note((before ?? behind)!, true, survey);
  }
}

/** Whether a text, evaluated as arithmetic, might run a substitution in a subscript. */
export function holdsSubscript(text: string): boolean {
  const bracket = text.indexOf('[');
  return bracket >= 0 && /[$`]/.test(text.slice(bracket));
}
