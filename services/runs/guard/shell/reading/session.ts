import type { ShellWord, Statement } from '../syntax/statement.ts';
import type { Work } from '../syntax/work.ts';
import { literal, type Word } from '../words/word.ts';
import type { Call, Input } from './call.ts';
import type { Findings } from './findings.ts';
import { isInside, type Places, type Roots } from './paths.ts';
import type { Survey } from './survey.ts';

/** What stays the same while one line, and the lines within it, are read. */
export interface Session {
  findings: Findings;
  work: Work;
  roots: Roots;
  /** Some command gives the shell another input, so that whatever has none of its own reads what is not known. */
  inputMoves: boolean;
  /** The statements of a text; `posix` for a shell that may be any. Throws Unreadable. */
  parse(text: string, posix: boolean): Statement;
  /** Adds what a command does. */
  dispatch(call: Call, scope: Scope): void;
}

/** What is known at one point of a line. */
export interface Scope {
  survey: Survey;
  /** Variables whose value is certain. */
  values: Map<string, Word>;
  /** Functions that are certainly defined. */
  functions: Set<string>;
  /** What a command reads that has no input of its own. */
  input: Input;
  /** Statements here run once, whatever happens, and in the shell of the line itself. */
  certain: boolean;
  /** The text is for a shell that may not be bash. */
  posix: boolean;
}

/** What is known where a shell begins. */
export function freshScope(survey: Survey, input: Input, posix: boolean): Scope {
  return { survey, values: new Map(), functions: new Set(), input, certain: true, posix };
}

/** Where the shell is after a statement, by how it ended. */
export interface Ends {
  success: Places;
  failure: Places;
}

export const stay = (places: Places): Ends => ({ success: places, failure: places });

/** A scope for what may run never, often, or in another shell. */
export const uncertain = (scope: Scope): Scope => ({ ...scope, certain: false });

/** A scope whose changes are not seen outside. */
export function forked(scope: Scope): Scope {
  return { ...scope, values: new Map(scope.values), functions: new Set(scope.functions), certain: false };
}

/** Variables that the shell sets itself, whatever the line assigns. */
const SET_BY_SHELL = /^(_|PWD|OLDPWD|REPLY|DIRSTACK|FUNCNAME|OPTARG|OPTIND|MAPFILE|COPROC|BASH\w*)$/;

export function valuesAt(scope: Scope, places: Places, roots: Roots): (name: string) => Word | null {
  const { assigned, assignsUnseen } = scope.survey;
  return (name) => {
    if (assigned.has('IFS')) return null;
    if (name === 'HOME' && !assigned.has(name)) return literal('~');
    if (name === 'PWD' && !assigned.has(name) && !assignsUnseen) return folder(places, roots);
    return SET_BY_SHELL.test(name) ? null : (scope.values.get(name) ?? null);
  };
}

/** The folder of the shell, where there is only one that it can be. */
function folder(places: Places, roots: Roots): Word | null {
  return places?.length === 1 && isInside(places, roots) ? literal(places[0]!) : null;
}

export const shownWords = (words: readonly ShellWord[]): string => words.map(({ shown }) => shown).join(' ');
