/** A word as a program gets it, as far as that is known before it runs. */
export interface Word {
  /** `runtime`: only its beginning is known. `glob`: it stands for the names of files. */
  kind: 'literal' | 'glob' | 'runtime';
  /** All of it, the pattern, or what it certainly begins with. */
  text: string;
  /** It may become several words, or none. */
  many: boolean;
  /** It is a pipe to a command of the line (`<(…)`) and nothing else. */
  pipe: boolean;
  /** As it stands in the line. */
  shown: string;
}

export const literal = (text: string, shown = text): Word => ({
  ...{ kind: 'literal', text, many: false, pipe: false, shown },
});

/** Words that are only known at run time: any number of them. */
export const unknownWords = (shown: string): Word => ({
  ...{ kind: 'runtime', text: '', many: true, pipe: false, shown },
});

export const literalText = (word: Word | null | undefined): string | null =>
  word?.kind === 'literal' ? word.text : null;

const WILDCARD = /[*?[]/;

/** What the word certainly begins with. */
export function certainStart(word: Word): string {
  if (word.kind !== 'glob') return word.text;
  const at = word.text.search(WILDCARD);
  return at < 0 ? word.text : word.text.slice(0, at);
}

/** The word without its first characters, which are certain. */
export const dropStart = (word: Word, length: number): Word => ({ ...word, text: word.text.slice(length) });
