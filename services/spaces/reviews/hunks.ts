import { parsePatch, structuredPatch } from 'diff';

/** A side of a diff: the file as it was (left) or as it is (right). */
export type Side = 'LEFT' | 'RIGHT';

/** One piece of a unified diff; line numbers count from 1, also those of a side that has no line in it. */
export interface Hunk {
  oldStart: number;
  newStart: number;
  /** Each with its mark: a blank, `-` or `+`. */
  lines: string[];
}

/** How long two versions of a file may be compared before their lines count as gone. */
const COMPARE_MS = 2_000;

/**
 * The hunks of one file's patch as a provider gives it: without file headers, the first line is a hunk's.
 * @returns null for what is no patch
 */
export function hunksOf(patch: string): Hunk[] | null {
  try {
    const hunks = parsePatch(patch).flatMap((file) => file.hunks);
    return hunks.length === 0 ? null : hunks.map(plain);
  } catch {
    return null;
  }
}

/** The hunks between two texts; null when comparing them takes too long. */
export function hunksBetween(before: string, after: string): Hunk[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, timeout: COMPARE_MS });
  return patch ? patch.hunks.map(plain) : null;
}

function plain({ oldStart, newStart, lines }: Hunk): Hunk {
  return { oldStart, newStart, lines: lines.filter((line) => !line.startsWith('\\')) };
}

/** The numbers of a hunk's lines on each side, in its order; null where a line does not stand. */
function numbersOf({ oldStart, newStart, lines }: Hunk): { left: number | null; right: number | null }[] {
  let [left, right] = [oldStart, newStart];
  return lines.map((line) => ({
    left: line.startsWith('+') ? null : left++,
    right: line.startsWith('-') ? null : right++,
  }));
}

/** Whether a range of lines stands whole in one hunk, which is where a provider takes an inline comment. */
export function isInDiff(hunks: readonly Hunk[], side: Side, startLine: number, endLine: number): boolean {
  return hunks.some((hunk) => {
    const numbers = numbersOf(hunk).map(({ left, right }) => (side === 'LEFT' ? left : right));
    return numbers.includes(startLine) && numbers.includes(endLine);
  });
}

/**
 * Where a range of lines stands after a change: the same lines with nothing between them, further up or down.
 * @param hunks of the change, in the order of the file
 * @returns null when one of the lines is gone or changed, or a line came between them
 */
export function movedRange(
  hunks: readonly Hunk[],
  startLine: number,
  endLine: number,
): { startLine: number; endLine: number } | null {
  const first = movedLine(hunks, startLine);
  if (first === null) return null;
  for (let line = startLine + 1; line <= endLine; line++) {
    if (movedLine(hunks, line) !== first + line - startLine) return null;
  }
  return { startLine: first, endLine: first + endLine - startLine };
}

function movedLine(hunks: readonly Hunk[], line: number): number | null {
  let shift = 0;
  for (const hunk of hunks) {
    if (hunk.oldStart > line) break;
    const oldEnd = hunk.oldStart + hunk.lines.filter((text) => !text.startsWith('+')).length;
    if (line < oldEnd) return numbersOf(hunk).find(({ left }) => left === line)?.right ?? null;
    shift = hunk.newStart + hunk.lines.filter((text) => !text.startsWith('-')).length - oldEnd;
  }
  return line + shift;
}
