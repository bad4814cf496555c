import * as z from 'zod';
import { type Hunk, movedRange } from './hunks.ts';

const LONGEST = 2_000;
/** As git has them: from the top of the repository, with no part that is empty or dots alone. */
const PATH = /^(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*$/;
const LineNumber = z.number().int().min(1).max(10_000_000);

/** Where a finding points: lines of a file as it is (right) or as it was before the pull request (left). */
export const Anchor = z
  .strictObject({
    path: z.string().max(4096).regex(PATH, 'must be a path from the top of the repository, without . and ..'),
    startLine: LineNumber,
    endLine: LineNumber.optional(),
    side: z.enum(['LEFT', 'RIGHT']).default('RIGHT'),
  })
  .transform(({ path, startLine, side, endLine = startLine }) => ({ path, startLine, endLine, side }))
  .refine(({ startLine, endLine }) => startLine <= endLine, {
    path: ['endLine'],
    message: 'must not be before startLine',
  })
  .refine(({ startLine, endLine }) => endLine - startLine < LONGEST, {
    path: ['endLine'],
    message: `must be less than ${LONGEST} lines after startLine`,
  });
export type Anchor = z.infer<typeof Anchor>;

/** Where an anchor stands now. `sha` is the last head at which these were its lines. */
export interface Place extends Anchor {
  sha: string;
  /** `current`: the lines given; `moved`: the same text elsewhere; `outdated`: a line is gone or changed. */
  state: 'current' | 'moved' | 'outdated';
}

/** What became of one file between two commits; null hunks: nothing in it changed. */
export type FileMove = { path: string; hunks: readonly Hunk[] | null } | 'gone';

/**
 * An anchor's place at the next head. What is outdated stays so, unless its own head is back.
 * @param move of the file between the heads, or for a left side between what they grew from
 */
export function nextPlace(place: Place, anchor: Anchor, move: FileMove, headSha: string): Place {
  if (place.state === 'outdated') return place.sha === headSha ? back(place, anchor) : place;
  if (move === 'gone') return { ...place, state: 'outdated' };
  const { startLine, endLine } = place;
  const lines = move.hunks === null ? { startLine, endLine } : movedRange(move.hunks, startLine, endLine);
  if (lines === null) return { ...place, state: 'outdated' };
  return back({ ...place, ...lines, path: move.path, sha: headSha }, anchor);
}

function back(place: Place, anchor: Anchor): Place {
  const { path, startLine, endLine } = place;
  const isWhereGiven = path === anchor.path && startLine === anchor.startLine && endLine === anchor.endLine;
  return { ...place, state: isWhereGiven ? 'current' : 'moved' };
}
