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

/** The hunks between two texts; null when comparing them takes longer than `limitMs`, during which nothing else is done. */
export function hunksBetween(before: string, after: string, limitMs: number): Hunk[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, timeout: limitMs });
  return patch ? patch.hunks.map(plain) : null;
}

function plain({ oldStart, newStart, lines }: Hunk): Hunk {
  return { oldStart, newStart, lines: lines.filter((line) => !line.startsWith('\\')) };
}

interface Numbers {
  /** Of the hunk's lines, those that stand on each side. */
  left: Set<number>;
  right: Set<number>;
  /** Where the lines of the left side stand on the right one; those that do not are missing. */
  moved: Map<number, number>;
}

/** Asked for each line of each anchor in a file, and counted once. */
const NUMBERS = new WeakMap<Hunk, Numbers>();

function numbersOf(hunk: Hunk): Numbers {
  const known = NUMBERS.get(hunk);
  if (known) return known;
  const numbers: Numbers = { left: new Set(), right: new Set(), moved: new Map() };
  let [left, right] = [hunk.oldStart, hunk.newStart];
  for (const line of hunk.lines) {
    const [isLeft, isRight] = [!line.startsWith('+'), !line.startsWith('-')];
    if (isLeft && isRight) numbers.moved.set(left, right);
    if (isLeft) numbers.left.add(left++);
    if (isRight) numbers.right.add(right++);
  }
  NUMBERS.set(hunk, numbers);
  return numbers;
}

/** Whether a range of lines stands whole in one hunk, which is where a provider takes an inline comment. */
export function isInDiff(hunks: readonly Hunk[], side: Side, startLine: number, endLine: number): boolean {
  return hunks.some((hunk) => {
    const numbers = numbersOf(hunk)[side === 'LEFT' ? 'left' : 'right'];
    return numbers.has(startLine) && numbers.has(endLine);
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
  const moved = mover(hunks);
  const first = moved(startLine);
  if (first === null) return null;
  for (let line = startLine + 1; line <= endLine; line++) {
    if (moved(line) !== first + line - startLine) return null;
  }
  return { startLine: first, endLine: first + endLine - startLine };
}

/** Where a line stands after the change, or null; to be asked for lines in ascending order, since it goes on where it was. */
function mover(hunks: readonly Hunk[]): (line: number) => number | null {
  let [next, shift] = [0, 0];
  return (line) => {
    for (let hunk = hunks[next]; hunk && hunk.oldStart <= line; hunk = hunks[++next]) {
      const { left, right, moved } = numbersOf(hunk);
      const oldEnd = hunk.oldStart + left.size;
      if (line < oldEnd) return moved.get(line) ?? null;
      shift = hunk.newStart + right.size - oldEnd;
    }
    return line + shift;
  };
}
