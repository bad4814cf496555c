import type { EffectClass } from '../../../../core-wasm/core.ts';
import { SHELL_EFFECTS } from './effects.ts';
import { dispatch } from './reading/dispatch.ts';
import { Findings } from './reading/findings.ts';
import { rootsOf } from './reading/paths.ts';
import { readStatement } from './reading/read-statement.ts';
import { freshScope, type Session } from './reading/session.ts';
import { surveyOf } from './reading/survey.ts';
import { loadSecondGrammar, type SecondGrammar } from './syntax/second-grammar.ts';
import { parseShell } from './syntax/shell-syntax.ts';
import { Unreadable } from './syntax/unreadable.ts';
import { BOUNDS, Work } from './syntax/work.ts';

export { SHELL_EFFECTS };

export interface CommandReading {
  /** Sorted in the order of EFFECT_CLASSES. */
  classes: EffectClass[];
  /** Why each class was read, in the order found, a few reasons a class: a short sentence that names the part of the line. */
  findings: { effect: EffectClass; because: string }[];
  /** False when the line, or a part of it that would run, could not be read and so counts as every class. */
  understood: boolean;
}

export interface CommandPlace {
  /** Absolute paths that count as inside; the first is where the line starts. Empty: only relative paths are inside. */
  worktree: readonly string[];
}

export interface CommandReader {
  /** What a line of bash would do to the world. Never throws: what fails counts as every class. */
  read(line: string, place?: CommandPlace): CommandReading;
}

/** Loads the grammar that every line is held against, once; see `CommandReader.read`. */
export async function createCommandReader(): Promise<CommandReader> {
  const grammar = await loadSecondGrammar();
  return { read: (line, place) => readLine(grammar, line, place?.worktree ?? []) };
}

function readLine(grammar: SecondGrammar, line: string, worktree: readonly string[]): CommandReading {
  const findings = new Findings();
  try {
    demandPlainText(line);
    const session = createSession(grammar, findings, worktree);
    const body = session.parse(line, false);
    const survey = surveyOf(body);
    session.inputMoves = survey.movesInput;
    readStatement(session, body, freshScope(survey, { kind: 'none' }, false), [session.roots[0]]);
  } catch (error) {
    const why = error instanceof Unreadable ? error.message : 'The line could not be read.';
    findings.addEverything(`${why} So it may do anything.`);
  }
  return { classes: findings.classes, findings: findings.list, understood: findings.understood };
}

function createSession(grammar: SecondGrammar, findings: Findings, worktree: readonly string[]): Session {
  const work = new Work();
  const parse = (text: string, posix: boolean) => {
    const read = parseShell(text, work, posix);
    grammar.agree(text, read);
    return read.body;
  };
  return { findings, work, roots: rootsOf(worktree), inputMoves: false, parse, dispatch };
}

/** Control characters but tabs and newlines, and what turns or hides text where people read it. */
const TRICKS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;

function demandPlainText(line: string): void {
  if (line.length > BOUNDS.lineCharacters) throw new Unreadable('The line is too long to read.');
  if (!line.isWellFormed() || TRICKS.test(line))
    throw new Unreadable('The line holds characters that hide or turn text.');
}
