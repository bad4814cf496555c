import type { Part, ShellWord } from '../syntax/statement.ts';
import { type Atom, expandBraces } from './braces.ts';
import { unknownWords, type Word } from './word.ts';

/** The value of a variable where it is certain; null where it is only known at run time. */
export type Values = (name: string) => Word | null;

/** Text that stays one word, and itself, when it is not quoted. */
const SAFE = /^[\w./:@%+,=-]+$/;
/** A bracket is a wildcard only with its other half. */
const WILDCARD = /[*?]|\[[\s\S]+\]/;

/** The words that one word of a command becomes. */
export function expandWord(word: ShellWord, values: Values): Word[] {
  const groups = expandBraces(word.parts.map((part) => atomOf(part, values)));
  if (!groups) return [unknownWords(word.shown)];
  return groups.filter((atoms) => atoms.length > 0).map((atoms) => wordOf(atoms, word.shown));
}

/** A word that stays one: braces mean nothing, as in assignments and here-documents. */
export function expandWhole(word: ShellWord, values: Values): Word {
  return wordOf(
    word.parts.map((part) => atomOf(part, values)),
    word.shown,
  );
}

function atomOf(part: Part, values: Values): Atom {
  switch (part.kind) {
    case 'text':
      return { text: part.text, quoted: part.quoted, opaque: 'no' };
    case 'variable':
      return variable(part.name, part.quoted, values);
    case 'process':
      return { text: '', quoted: true, opaque: 'pipe' };
    case 'array':
      return { text: '', quoted: true, opaque: 'many' };
    default:
      return { text: '', quoted: true, opaque: part.quoted ? 'one' : 'many' };
  }
}

function variable(name: string, quoted: boolean, values: Values): Atom {
  const value = values(name);
  const opaque: Atom = { text: '', quoted: true, opaque: quoted && name !== '@' ? 'one' : 'many' };
  if (!value || value.kind === 'runtime') return opaque;
  // Without quotes the names that a pattern stands for would be cut at their blanks.
  if (value.kind === 'glob') return quoted ? { text: value.text, quoted: false, opaque: 'no' } : opaque;
  return quoted || SAFE.test(value.text) || value.text === '~'
    ? { text: value.text, quoted: true, opaque: 'no' }
    : opaque;
}

function wordOf(atoms: readonly Atom[], shown: string): Word {
  const unknown = atoms.findIndex(({ opaque }) => opaque !== 'no');
  const known = unknown < 0 ? atoms : atoms.slice(0, unknown);
  const text = known.map((atom) => atom.text).join('');
  const shape = known.map((atom) => (atom.quoted ? 'x'.repeat(atom.text.length) : atom.text)).join('');
  const isGlob = WILDCARD.test(shape);
  const filled = atoms.filter((atom) => atom.opaque !== 'no' || atom.text !== '');
  const pipe = filled.length === 1 && filled[0]!.opaque === 'pipe';
  if (unknown < 0) return { kind: isGlob ? 'glob' : 'literal', text, many: isGlob, pipe, shown };
  const start = isGlob ? text.slice(0, shape.search(WILDCARD)) : text;
  const many = isGlob || atoms.some(({ opaque }) => opaque === 'many');
  return { kind: 'runtime', text: start, many, pipe, shown };
}
