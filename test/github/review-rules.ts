import type { FileChange } from './repository.ts';

/** A request to make a review, as it came. */
export interface ReviewRequest {
  commit_id?: unknown;
  event?: unknown;
  body?: unknown;
  comments?: unknown;
}

interface Comment {
  path?: unknown;
  body?: unknown;
  line?: unknown;
  side?: unknown;
  start_line?: unknown;
  start_side?: unknown;
}

const LONGEST_BODY = 65_536;

export interface ReviewSubject {
  /** Commits of the pull request. */
  commits: readonly string[];
  /** The diff of a commit against what the pull request grew from. */
  changes: (sha: string) => readonly FileChange[];
  /** The token's user opened the pull request. */
  isOwn: boolean;
}

/** What the API would refuse a review for, in its words; empty when it would take it. */
export function reviewFaults(request: ReviewRequest, subject: ReviewSubject): string[] {
  const { commit_id: sha, event, body, comments = [] } = request;
  if (typeof sha !== 'string' || !subject.commits.includes(sha))
    return ['Commit is not part of the pull request'];
  if (!['APPROVE', 'REQUEST_CHANGES', 'COMMENT'].includes(String(event))) return ['Event is not a member'];
  if (event !== 'APPROVE' && (typeof body !== 'string' || body.trim() === '')) return ["Body can't be blank"];
  if (typeof body === 'string' && body.length > LONGEST_BODY)
    return ['Body is too long (maximum is 65536 characters)'];
  if (subject.isOwn && event === 'REQUEST_CHANGES') {
    return ['Review Can not request changes on your own pull request'];
  }
  if (!Array.isArray(comments)) return ['Comments is not an array'];
  return (comments as Comment[]).flatMap((comment) => commentFaults(comment, subject.changes(sha)));
}

function commentFaults(comment: Comment, changes: readonly FileChange[]): string[] {
  const { path, body, line, side = 'RIGHT', start_line: start, start_side: startSide = side } = comment;
  if (typeof body !== 'string' || body.trim() === '') return ["Comment body can't be blank"];
  const file = changes.find(({ filename }) => filename === path);
  if (!file?.patch) return ['Path could not be resolved'];
  const hunk = hunksOn(file.patch, side).find((lines) => lines.includes(line as number));
  if (!hunk) return ['Pull request review thread line must be part of the diff'];
  if (start === undefined) return [];
  if (startSide !== side || typeof start !== 'number' || start >= (line as number)) {
    return ['Pull request review thread start line must precede the end line'];
  }
  return hunk.includes(start) ? [] : ['Pull request review thread start line must be part of the same hunk'];
}

/** The numbers of the lines that each hunk of a patch shows on a side. */
function hunksOn(patch: string, side: unknown): number[][] {
  const hunks: number[][] = [];
  let next = 0;
  for (const line of patch.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head) {
      const [from, count] = side === 'LEFT' ? [head[1], head[2]] : [head[3], head[4]];
      next = Number(from) + (count === '0' ? 1 : 0);
      hunks.push([]);
    } else if (!line.startsWith(side === 'LEFT' ? '+' : '-') && !line.startsWith('\\')) {
      hunks.at(-1)?.push(next++);
    }
  }
  return hunks;
}
