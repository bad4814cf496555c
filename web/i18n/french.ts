const BEFORE_NARROW = /(?<=\S) (?=[;!?»])|(?<=«) /g;
const BEFORE_COLON = /(?<=\S) (?=:(\s|$))/g;

/** Narrow before most, and inside of guillemets; a colon has a whole space. Neither may be where a line breaks. */
const typeset = (text: string): string =>
  text.replace(BEFORE_NARROW, '\u202f').replace(BEFORE_COLON, '\u00a0');

/** The same words with the spaces that French has before its punctuation: written by hand they are forgotten or not seen. */
export function typesetFrench<T>(words: T): T {
  return typesetAny(words, []) as T;
}

/** @param values put into the words: names and commands of people, which stay to the letter */
function typesetAny(words: unknown, values: readonly unknown[]): unknown {
  if (typeof words === 'string') return typesetAround(words, values.filter(wouldChange));
  if (typeof words === 'function') return (...given: unknown[]) => typesetAny(words(...given), given);
  if (Array.isArray(words)) return words.map((one) => typesetAny(one, values));
  if (typeof words !== 'object' || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, typesetAny(one, values)]));
}

const wouldChange = (value: unknown): value is string =>
  typeof value === 'string' && typeset(value) !== value;

function typesetAround(text: string, [value, ...others]: readonly string[]): string {
  if (value === undefined) return typeset(text);
  return text
    .split(value)
    .map((part) => typesetAround(part, others))
    .join(value);
}
