import type { Cursor } from './cursor.ts';
import type { Part, Redirect, ShellWord, Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';

export interface PendingHeredoc {
  delimiter: string;
  /** Nothing is expanded in its body. */
  quoted: boolean;
  stripTabs: boolean;
  redirect: Redirect;
}

/**
 * What the parts of the reader of shell syntax share. Words hold scripts and scripts hold words, so they call each other
 * through here and not by imports.
 */
export interface Scan {
  cursor: Cursor;
  /** Here-documents whose bodies begin at the next newline. */
  pending: PendingHeredoc[];
  /** Within a substitution: a here-document announced outside of it still waits for its body. */
  waiting: boolean;
  /** Other shells than bash may run the text, to whom some of bash's signs mean something else. */
  posix: boolean;
  /** How many substitutions are open. */
  substitutions: number;
  /** Where in the source a command may begin. */
  starts: Set<number>;
  /** Stretches of the source that are read from a copy, as in backquotes. */
  copied: [from: number, to: number][];
  /** Statements up to a `)` that is not taken, or to the end. */
  script(): Statement;
  command(): Statement;
  word(mode?: WordMode): ShellWord;
  /** Everything behind a `$`, which is next. */
  dollar(quoted: boolean): Part[];
  double(): Part[];
  backquotes(quoted: boolean): Part;
  /** The bodies of here-documents, behind the newline that was just taken. */
  heredocs(): void;
}

/** In `[[ … ]]`, behind an operator that takes a pattern, parentheses and bars belong to the word. */
export type WordMode = 'usual' | 'pattern';

/** For what only bash and its like read as they do. */
export function demandBash({ posix }: Scan): void {
  if (posix) throw new Unreadable('Shells read this in different ways.');
}

export const BLANK = /^[ \t]$/;
export const META = /^[ \t\n;&|()<>]$/;
