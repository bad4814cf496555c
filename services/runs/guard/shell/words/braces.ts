/** A piece of a word: text whose quoting is known, or something opaque. */
export interface Atom {
  text: string;
  /** Neither braces nor wildcards mean anything in it. */
  quoted: boolean;
  opaque: 'no' | 'one' | 'many' | 'pipe';
}

const MAX_WORDS = 64;
const MAX_BRACES = 40;
const SEQUENCE = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/;

/** The words that the braces of one word make; null when they are too many. */
export function expandBraces(atoms: readonly Atom[]): Atom[][] | null {
  if (!atoms.some(({ text, quoted }) => !quoted && text.includes('{'))) return [[...atoms]];
  const singles = atoms.flatMap(single);
  return singles.filter(is('{')).length > MAX_BRACES ? null : expand(singles);
}

function is(text: string): (atom: Atom) => boolean {
  return (atom) => !atom.quoted && atom.opaque === 'no' && atom.text === text;
}

const single = (atom: Atom): Atom[] =>
  atom.quoted || atom.opaque !== 'no' ? [atom] : [...atom.text].map((text) => ({ ...atom, text }));

function expand(atoms: readonly Atom[]): Atom[][] | null {
  for (let open = atoms.findIndex(is('{')); open >= 0; open = nextOpen(atoms, open)) {
    const group = groupAt(atoms, open);
    if (!group) continue;
    const rest = expand(atoms.slice(group.close + 1));
    const middle = group.items.map((item) => expand(item));
    if (!rest || middle.includes(null)) return null;
    const before = atoms.slice(0, open);
    const words = middle.flatMap((item) => item!.flatMap((m) => rest.map((r) => [...before, ...m, ...r])));
    return words.length > MAX_WORDS ? null : words;
  }
  return [[...atoms]];
}

function nextOpen(atoms: readonly Atom[], open: number): number {
  return atoms.findIndex((atom, i) => i > open && is('{')(atom));
}

/** The items of the group that opens at `open`; null if it is no group and its brace stands for itself. */
function groupAt(atoms: readonly Atom[], open: number): { items: Atom[][]; close: number } | null {
  const commas: number[] = [];
  let depth = 0;
  for (let i = open + 1; i < atoms.length; i++) {
    if (is('{')(atoms[i]!)) depth++;
    else if (is(',')(atoms[i]!) && depth === 0) commas.push(i);
    else if (is('}')(atoms[i]!) && depth-- === 0) return itemsOf(atoms, open, commas, i);
  }
  return null;
}

function itemsOf(atoms: readonly Atom[], open: number, commas: number[], close: number) {
  if (commas.length > 0) {
    const ends = [...commas, close];
    return { close, items: ends.map((end, i) => atoms.slice((i === 0 ? open : ends[i - 1]!) + 1, end)) };
  }
  const inner = atoms.slice(open + 1, close);
  if (!inner.every(({ quoted, opaque }) => !quoted && opaque === 'no')) return null;
  const values = sequence(inner.map(({ text }) => text).join(''));
  return values && { close, items: values.map((text): Atom[] => [{ text, quoted: true, opaque: 'no' }]) };
}

function sequence(text: string): string[] | null {
  const [, from, to, by] = SEQUENCE.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  const letters = /^[A-Za-z]$/.test(from);
  if (letters !== /^[A-Za-z]$/.test(to)) return null;
  const [start, end] = letters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const count = Math.floor(Math.abs(end - start) / step) + 1;
  // Too many to list: one more than are allowed says so.
  const values = Array.from(
    { length: Math.min(count, MAX_WORDS + 1) },
    (_, i) => start + i * step * Math.sign(end - start),
  );
  return values.map((value) => (letters ? String.fromCharCode(value) : String(value)));
}
