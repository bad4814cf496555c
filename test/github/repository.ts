import { createHash } from 'node:crypto';
import { structuredPatch } from 'diff';

/** A whole tree, path to text. */
export type Files = Readonly<Record<string, string>>;

interface CommitRecord {
  sha: string;
  parent: string | null;
  message: string;
  files: Files;
  /** New name to old name, of what this commit renamed. */
  renames: Readonly<Record<string, string>>;
}

/** A changed file as the API names it. */
export interface FileChange {
  filename: string;
  previous_filename?: string;
  status: 'added' | 'removed' | 'modified' | 'renamed';
  additions: number;
  deletions: number;
  changes: number;
  /** Left out for a file that was only renamed. */
  patch?: string;
}

/** Commits in memory, each with its whole tree; a commit has one parent. */
export class Repository {
  readonly #commits = new Map<string, CommitRecord>();
  readonly #changes = new Map<string, FileChange[]>();

  commit(parent: string | null, message: string, files: Files, renames: Files = {}): string {
    const text = JSON.stringify([parent, message, files, this.#commits.size]);
    const sha = createHash('sha1').update(text).digest('hex');
    this.#commits.set(sha, { sha, parent, message, files, renames });
    return sha;
  }

  get(sha: string): CommitRecord | undefined {
    return this.#commits.get(sha);
  }

  /** Takes a commit out, as a provider does some time after nothing leads to it any more. */
  forget(sha: string): void {
    this.#commits.delete(sha);
  }

  /** The commit and what it grew from, newest first. */
  history(sha: string): CommitRecord[] {
    const commits: CommitRecord[] = [];
    for (let at: string | null = sha; at !== null; ) {
      const commit = this.#commits.get(at);
      if (!commit) break;
      commits.push(commit);
      at = commit.parent;
    }
    return commits;
  }

  mergeBase(one: string, other: string): string {
    const known = new Set(this.history(one).map(({ sha }) => sha));
    const base = this.history(other).find(({ sha }) => known.has(sha));
    if (!base) throw new Error(`${one} and ${other} have nothing in common`);
    return base.sha;
  }

  /** Commits of `to` that `from` has not, oldest first. */
  between(from: string, to: string): CommitRecord[] {
    const known = new Set(this.history(from).map(({ sha }) => sha));
    return this.history(to)
      .filter(({ sha }) => !known.has(sha))
      .reverse();
  }

  /** A list is asked for page by page, so each is made once. */
  changes(from: string, to: string): FileChange[] {
    const known = this.#changes.get(`${from} ${to}`) ?? this.#changesBetween(from, to);
    this.#changes.set(`${from} ${to}`, known);
    return known;
  }

  #changesBetween(from: string, to: string): FileChange[] {
    const [before, after] = [this.#files(from), this.#files(to)];
    const renames = Object.assign({}, ...this.between(from, to).map((commit) => commit.renames)) as Files;
    const renamedFrom = new Set(Object.values(renames).filter((path) => !(path in after)));
    const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return paths.flatMap((path) => {
      const previous = path in before ? undefined : renames[path];
      if (!(path in after)) {
        return renamedFrom.has(path) ? [] : [change(path, 'removed', before[path] ?? '', '')];
      }
      if (previous !== undefined && previous in before && !(previous in after)) {
        const renamed = change(path, 'renamed', before[previous] ?? '', after[path] ?? '');
        return [{ ...renamed, previous_filename: previous }];
      }
      if (!(path in before)) return [change(path, 'added', '', after[path] ?? '')];
      return before[path] === after[path] ? [] : [change(path, 'modified', before[path]!, after[path]!)];
    });
  }

  #files(sha: string): Files {
    return this.#commits.get(sha)?.files ?? {};
  }
}

function change(filename: string, status: FileChange['status'], before: string, after: string): FileChange {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const [additions, deletions] = [count('+'), count('-')];
  const text = hunks.map((hunk) => [headOf(hunk), ...hunk.lines].join('\n')).join('\n');
  const sizes = { additions, deletions, changes: additions + deletions };
  return { filename, status, ...sizes, ...(text !== '' && { patch: text }) };
}

// Where a side has no line its number is that of the line before.
function headOf({
  oldStart,
  oldLines,
  newStart,
  newLines,
}: ReturnType<typeof structuredPatch>['hunks'][number]) {
  const left = `-${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines}`;
  const right = `+${newLines === 0 ? newStart - 1 : newStart},${newLines}`;
  return `@@ ${left} ${right} @@`;
}
