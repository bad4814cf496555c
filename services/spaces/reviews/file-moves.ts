import type { FileMove, Place } from './anchor.ts';
import { type Hunk, hunksBetween, hunksOf } from './hunks.ts';
import type { ChangedFile, Comparison, PullRequestHost } from './pull-request-host.ts';

/** How long the versions of all files of a change may be compared before the lines of those that are left count as gone. */
const COMPARE_MS = 2_000;

/** The two states of a pull request between which anchors move. */
export interface HeadChange {
  repository: string;
  from: { headSha: string; mergeBaseSha: string; files: readonly ChangedFile[] };
  to: { headSha: string; mergeBaseSha: string; files: readonly ChangedFile[] };
}

/**
 * Finds for a place what became of its file: between the heads for the right side, between what they grew from for the
 * left one. Each comparison is asked for once, and each file looked at once.
 * @throws Fault of the provider
 */
export function fileMoves(host: PullRequestHost, change: HeadChange): (place: Place) => Promise<FileMove> {
  const { repository, from, to } = change;
  const right = movesBetween(host, repository, from.headSha, to.headSha);
  const left = movesBetween(host, repository, from.mergeBaseSha, to.mergeBaseSha);
  return async ({ side, path }) => {
    if (side === 'RIGHT') return right(path);
    // A left side goes by the name that the pull request gives the file.
    const move = await left(from.files.find((file) => file.path === path)?.previousPath ?? path);
    if (move === 'gone') return move;
    return { ...move, path: to.files.find((file) => file.previousPath === move.path)?.path ?? move.path };
  };
}

function movesBetween(host: PullRequestHost, repository: string, fromSha: string, toSha: string) {
  let comparing: Promise<Comparison | null> | null = null;
  let leftMs = COMPARE_MS;
  const known = new Map<string, Promise<FileMove>>();
  const compare = () => {
    comparing ??= host.compare(repository, fromSha, toSha);
    return comparing;
  };
  const hunksWithin = (before: string, after: string): Hunk[] | null => {
    const startedAt = performance.now();
    const hunks = leftMs < 1 ? null : hunksBetween(before, after, leftMs);
    leftMs -= performance.now() - startedAt;
    return hunks;
  };
  const moveAt = async (path: string): Promise<FileMove> => {
    if (fromSha === toSha) return { path, hunks: null };
    const comparison = await compare();
    if (comparison === null) return 'gone';
    const file = comparison.files.find((one) => (one.previousPath ?? one.path) === path);
    const move = comparison.mergeBaseSha === fromSha ? moveOf(comparison, file, path) : null;
    if (move !== null) return move;
    const versions: [FileAt, FileAt] = [
      { sha: fromSha, path },
      { sha: toSha, path: file?.path ?? path },
    ];
    return byContents(host, repository, versions, hunksWithin);
  };
  return (path: string): Promise<FileMove> => {
    const move = known.get(path) ?? moveAt(path);
    known.set(path, move);
    return move;
  };
}

/** One version of a file. */
interface FileAt {
  sha: string;
  path: string;
}

/** Read from the comparison alone; null where it does not say all, and the files themselves have to be compared. */
function moveOf(comparison: Comparison, file: ChangedFile | undefined, path: string): FileMove | null {
  if (file === undefined) return comparison.filesComplete ? { path, hunks: null } : null;
  if (file.status === 'removed') return 'gone';
  if (file.patch !== null) {
    const hunks = hunksOf(file.patch);
    return hunks && { path: file.path, hunks };
  }
  return file.status === 'renamed' && file.additions + file.deletions === 0
    ? { path: file.path, hunks: null }
    : null;
}

/**
 * A rewritten history has no patch from the old head to the new one, and a large file's is left out: there the texts tell.
 */
async function byContents(
  host: PullRequestHost,
  repository: string,
  [from, to]: [FileAt, FileAt],
  hunksWithin: (before: string, after: string) => Hunk[] | null,
): Promise<FileMove> {
  const before = await host.fileText(repository, from.path, from.sha);
  const after = before === null ? null : await host.fileText(repository, to.path, to.sha);
  if (before === null || after === null) return 'gone';
  const hunks = hunksWithin(before, after);
  return hunks === null ? 'gone' : { path: to.path, hunks };
}
