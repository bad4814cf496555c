import type { Place } from './anchor.ts';
import type { FindingRow } from './finding-schema.ts';
import { withoutMentions } from './foreign-text.ts';
import { type Hunk, hunksOf, isInDiff } from './hunks.ts';
import type { ChangedFile, InlineComment, NewProviderReview } from './pull-request-host.ts';
import { findingHead, findingsText, verdictText } from './review-text.ts';
import type { Verdict } from './verdict-schema.ts';

/** A provider takes 65,536 characters. */
const LONGEST_BODY = 60_000;
const MOST_COMMENTS = 100;

interface Placed {
  row: FindingRow;
  place: Place | null;
}

/** The first line of what is published: by it a publication whose answer was lost is found again. */
export function markerOf(verdictId: string): string {
  return `<!-- control-center review ${verdictId} -->`;
}

/**
 * A verdict as one review of the provider. Findings on lines of the diff become comments there; all others stand in the
 * body. A block asks for changes, anything else comments: an approval can set off a merge, and is a person's to give.
 * @param files of the verdict's head
 */
export function providerReview(
  verdict: Verdict,
  rows: readonly FindingRow[],
  files: readonly ChangedFile[],
): NewProviderReview {
  const places = new Map(verdict.findings.map(({ id, place }) => [id, place]));
  const placed = rows
    .filter(({ id }) => places.has(id))
    .map((row): Placed => ({ row, place: places.get(row.id) ?? null }));
  const isCommentable = placeChecker(files);
  const inline = placed.filter(({ place }) => isCommentable(place)).slice(0, MOST_COMMENTS);
  return {
    headSha: verdict.headSha,
    event: verdict.verdict === 'block' ? 'REQUEST_CHANGES' : 'COMMENT',
    body: bodyOf(
      verdict,
      placed.filter((one) => !inline.includes(one)),
    ),
    comments: inline.map(commentOf),
  };
}

/** Whether a place stands in the diff; each patch is read once. */
function placeChecker(files: readonly ChangedFile[]): (place: Place | null) => boolean {
  const patches = new Map(files.map(({ path, patch }) => [path, patch]));
  const read = new Map<string, Hunk[] | null>();
  const hunksAt = (path: string): Hunk[] | null => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const patch = patches.get(path);
    const hunks = patch ? hunksOf(patch) : null;
    read.set(path, hunks);
    return hunks;
  };
  return (place) => {
    if (place === null || place.state === 'outdated') return false;
    const hunks = hunksAt(place.path);
    return hunks !== null && isInDiff(hunks, place.side, place.startLine, place.endLine);
  };
}

function commentOf({ row, place }: Placed): InlineComment {
  const { path, startLine, endLine, side } = place as Place;
  return {
    path,
    startLine,
    endLine,
    side,
    body: `${findingHead(row, null)}\n\n${withoutMentions(row.body)}`,
  };
}

function bodyOf(verdict: Verdict, findings: readonly Placed[]): string {
  const text = verdictText(verdict);
  const rest = findingsText(findings, LONGEST_BODY - text.length);
  return [markerOf(verdict.id), text, rest].filter((part) => part !== '').join('\n\n');
}
