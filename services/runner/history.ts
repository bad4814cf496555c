import { Fault } from '../kit/fault.ts';
import type { Host } from './host.ts';
import { checkPath } from './inside.ts';
import { commitAt, resolveCommit } from './repository.ts';
import type { CommitLog, LoggedCommit, WorktreeDiff, WorktreeRef, WorktreeStatus } from './runner.ts';
import { type Found, findWorktree, worktreeGit } from './worktree.ts';

const MAX_DIFF_BYTES = 256 * 1024;
const MAX_STAT_CHARACTERS = 20_000;
const LOG_LIMIT = 50;
const MOST_COMMITS = 1_000;

/** The branch's commits, newest first. */
export async function gitLog(host: Host, ref: WorktreeRef, i: { limit?: number }): Promise<CommitLog> {
  const { limit = LOG_LIMIT } = i;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_COMMITS) {
    throw new Fault('invalid_request', `limit is a whole number from 1 to ${MOST_COMMITS}, not ${limit}.`);
  }
  const { record } = await findWorktree(host, ref);
  const args = [
    'log',
    '-z',
    `--max-count=${limit + 1}`,
    '--format=%H%n%an%n%ae%n%at%n%s',
    `refs/heads/${record.branch}`,
  ];
  const text = await host.git.text([`--git-dir=${record.commonDir}`, ...args, '--']);
  const commits = text.split('\0').filter(Boolean).map(toCommit);
  return { commits: commits.slice(0, limit), truncated: commits.length > limit };
}

function toCommit(entry: string): LoggedCommit {
  const [commit = '', name = '', email = '', seconds = '', ...subject] = entry.split('\n');
  return { commit, author: { name, email }, timeMs: Number(seconds) * 1_000, subject: subject.join('\n') };
}

/** `base` defaults to the commit the worktree started from; `path` limits it to a file or folder. */
export async function gitDiff(
  host: Host,
  ref: WorktreeRef,
  i: { base?: string; path?: string },
): Promise<WorktreeDiff> {
  const found = await findWorktree(host, ref);
  const base =
    i.base === undefined ? found.record.base : await resolveCommit(host.git, found.record.commonDir, i.base);
  const paths = i.path === undefined ? [] : [`:(literal)${checkPath(i.path) || '.'}`];
  const stat = await diffWith(host, found, ['--stat=100', '--stat-count=200', base, '--', ...paths]);
  const { text, overflow } = await diffWith(host, found, ['--no-color', base, '--', ...paths]);
  const cut = overflow ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  return { diff: cut, truncated: overflow, stat: stat.text.slice(0, MAX_STAT_CHARACTERS) };
}

/** New files count with their content. */
async function diffWith(
  host: Host,
  found: Found,
  args: string[],
): Promise<{ text: string; overflow: boolean }> {
  const diff = ['diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', ...args];
  const done = await worktreeGit(host, found, diff, {
    readOnly: true,
    maxBytes: MAX_DIFF_BYTES,
    newFiles: true,
  });
  return { text: done.stdout.toString(), overflow: done.overflow };
}

export async function gitStatus(host: Host, ref: WorktreeRef): Promise<WorktreeStatus> {
  const found = await findWorktree(host, ref);
  const { commonDir, branch, base } = found.record;
  const head = await commitAt(host.git, commonDir, `refs/heads/${branch}`);
  if (head === null)
    throw new Fault('not_found', `Branch ${branch} is gone; close this worktree and open it again.`);
  return { branch, head, base, dirty: await dirtyFiles(host, found) };
}

/** Paths with changes against the last commit, new files too, ignored ones not. */
export async function dirtyFiles(host: Host, found: Found): Promise<string[]> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--ignore-submodules=all',
  ];
  const done = await worktreeGit(host, found, args, { readOnly: true });
  const entries = done.stdout.toString().split('\0').filter(Boolean);
  return entries.map((entry) => entry.slice(3));
}
