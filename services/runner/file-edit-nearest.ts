import { diffArrays } from 'diff';

/** A line that stands in the wanted text this often says nothing about the place. */
const COMMON = 20;
/** Of a file with more lines only whole lines are compared. */
const MAX_COMPARED_LINES = 20_000;
const LEAST_LIKENESS = 0.6;
const MAX_WANTED_LINES = 60;
const MAX_SHOWN_LINES = 16;
const MAX_LINE_CHARACTERS = 200;

/** Where in the file the wanted lines most probably are: the index of their first line, or null. */
export function nearestPlace(lines: readonly string[], wanted: readonly string[]): number | null {
  return byEqualLines(lines, wanted) ?? byLikeness(lines, wanted);
}

function bare(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** Each line that is there whole speaks for a place, the more the longer it is. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): number | null {
  const offsets = Map.groupBy(wanted.keys(), (offset) => bare(wanted[offset] ?? ''));
  offsets.delete('');
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const found = offsets.get(bare(line)) ?? [];
    if (found.length > COMMON) continue;
    for (const offset of found) {
      const start = Math.max(0, at - offset);
      votes.set(start, (votes.get(start) ?? 0) + bare(line).length);
    }
  }
  let best: number | null = null;
  for (const [start, weight] of votes) if (weight > (votes.get(best ?? -1) ?? 3)) best = start;
  return best;
}

/** By the longest of the wanted lines. */
function byLikeness(lines: readonly string[], wanted: readonly string[]): number | null {
  const longest = [...wanted.keys()].reduce((best, at) =>
    bare(wanted[at] ?? '').length > bare(wanted[best] ?? '').length ? at : best,
  );
  const target = pairsOf(bare(wanted[longest] ?? ''));
  if (target.size === 0 || lines.length > MAX_COMPARED_LINES) return null;
  let best = { at: -1, likeness: LEAST_LIKENESS };
  for (const [at, line] of lines.entries()) {
    const likeness = likenessOf(target, pairsOf(bare(line)));
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best.at < 0 ? null : Math.max(0, best.at - longest);
}

/** Neighbouring characters, of a line's beginning. */
function pairsOf(line: string): Set<string> {
  const text = line.slice(0, MAX_LINE_CHARACTERS);
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Dice's coefficient, from 0 to 1. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...b].filter((pair) => a.has(pair)).length;
  return (2 * common) / (a.size + b.size);
}

/** Both as a line-by-line difference, bounded. */
export function shownDifference(wanted: readonly string[], actual: readonly string[]): string {
  const parts = diffArrays(wanted.slice(0, MAX_WANTED_LINES), actual.slice(0, MAX_WANTED_LINES));
  const lines = parts.flatMap(({ added, removed, value }) =>
    value.map((line) => `${removed ? '-' : added ? '+' : ' '} ${cut(line)}`),
  );
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 2);
  const shown = lines.slice(first, first + MAX_SHOWN_LINES);
  const isWhole = shown.length === lines.length && wanted.length <= MAX_WANTED_LINES;
  return isWhole ? shown.join('\n') : [...shown, '[… more, left out …]'].join('\n');
}

function cut(line: string): string {
  return line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS)}…`;
}
