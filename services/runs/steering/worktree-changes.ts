import { Fault } from '../../kit/fault.ts';
import type { Runner } from '../../runner/runner.ts';
import type { HeldWorktree } from '../runs/schema.ts';
import type { Worktree } from '../worktrees/store.ts';

const MOST_FILES = 50;
const SHORT_COMMIT = 12;

/** What a working tree is at this moment, to be compared with later. @throws Fault of the runner */
export async function lookAt(runner: Runner, workspaceId: string, worktree: Worktree): Promise<HeldWorktree> {
  const { conversationId, repository, path, branch } = worktree;
  const ref = { workspaceId, conversationId, repository };
  const { head } = await runner.gitStatus(ref);
  const { diff } = await runner.gitDiff(ref, { base: head });
  return { repository, path, branch, head, files: digestsOf(diff) };
}

/** What changed in it since then, in words for its agent. */
export async function changesSince(
  runner: Runner,
  ref: { workspaceId: string; conversationId: string },
  before: HeldWorktree,
): Promise<string> {
  const where = { ...ref, repository: before.repository };
  try {
    const { head } = await runner.gitStatus(where);
    const { diff, truncated } = await runner.gitDiff(where, { base: before.head });
    const files = differing(before.files, digestsOf(diff));
    const commits =
      head === before.head
        ? ''
        : ` Its branch stood at ${before.head.slice(0, SHORT_COMMIT)} and stands at ${head.slice(0, SHORT_COMMIT)} now.`;
    const cut = truncated ? ' It changed too much to be listed whole: look with git_diff.' : '';
    return `${before.repository}: ${listed(files)}${commits}${cut}`;
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    return `${before.repository}: what changed could not be read (${error.message}).`;
  }
}

function listed(files: readonly string[]): string {
  if (files.length === 0) return 'no file changed.';
  const rest = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  return `changed ${files.slice(0, MOST_FILES).join(', ')}${rest}.`;
}

/** A digest of each file's part of a diff, by the file's name; of a file that moved, by its new one. */
function digestsOf(diff: string): Record<string, string> {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part !== '');
  return Object.fromEntries(parts.map((part) => [nameIn(part), Bun.hash(part).toString(36)]));
}

function nameIn(part: string): string {
  const [heading = ''] = part.split('\n', 1);
  return heading.replace(/^.* "?b\//, '').replace(/"$/, '');
}

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).toSorted();
}
