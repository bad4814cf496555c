import { Unreadable } from './unreadable.ts';

/** Bounds of the work on one line; past any of them the line counts as not understood. */
export const BOUNDS = {
  lineCharacters: 65_536,
  /** Looks at a character. A usual line takes about ten a character; only a line that makes the reader go back takes more. */
  steps: 1_500_000,
  words: 1_500,
  /** Groups, substitutions and quotes within each other. */
  depth: 40,
  /** Lines within the line: `bash -c`, `eval`, text for an interpreter. */
  /** Texts that are taken out and read by themselves: backquotes and here-documents. */
  copies: 200,
  lines: 120,
  lineCharactersWithin: 200_000,
  linesWithinEachOther: 8,
  commands: 1_000,
  /** All arguments of all commands as often as they are read, which in loops may be many times. */
  argumentCharacters: 100_000,
  /** Commands that run the command behind them. */
  commandsWithinEachOther: 24,
} as const;

/** Counts what reading one line takes. Every count throws Unreadable past its bound. */
export class Work {
  private readonly spent = {
    ...{ steps: 0, words: 0, copies: 0, lines: 0 },
    ...{ lineCharactersWithin: 0, commands: 0, argumentCharacters: 0 },
  };
  private readonly nesting = { depth: 0, linesWithinEachOther: 0, commandsWithinEachOther: 0 };

  count(what: keyof Work['spent'], amount = 1): void {
    this.spent[what] += amount;
    if (this.spent[what] > BOUNDS[what]) throw new Unreadable('The line takes too much work to read.');
  }

  /** Does something one level deeper. */
  within<T>(what: keyof Work['nesting'], run: () => T): T {
    if (this.nesting[what] >= BOUNDS[what]) throw new Unreadable('The line is nested too deeply to read.');
    this.nesting[what]++;
    try {
      return run();
    } finally {
      this.nesting[what]--;
    }
  }
}
