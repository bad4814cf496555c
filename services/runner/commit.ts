import { Fault } from '../kit/fault.ts';
import type { Host } from './host.ts';
import { checkAuthor, commitTree } from './merge.ts';
import { settleOverlay } from './overlay.ts';
import { commitAt } from './repository.ts';
import type { CommittedWork, CommitWork, WorktreeRef } from './runner.ts';
import { type Found, findWorktree, worktreeGit } from './worktree.ts';
import { mendWorktree } from './worktree-mend.ts';

const KEY_TRAILER = 'Control-Center-Key';
const CONFLICT_MARKER = '^(<{7}|>{7})( |$)';

/** See `Runner.commit`. Faults `merge_conflict` (markers left in files), `conflict` (another branch is checked out). */
export async function commitWork(host: Host, ref: WorktreeRef, i: CommitWork): Promise<CommittedWork> {
  const message = composeMessage(i);
  const { worktree } = host.places(ref);
  return host.gate.exclusive(worktree, async () => {
    const found = await findWorktree(host, ref);
    await mendWorktree(host, found);
    const earlier = await findCommit(host, found, i.key);
    if (earlier !== null) return { commit: earlier, files: await countFiles(host, found, earlier) };
    return commitAll(host, found, i, message);
  });
}

async function commitAll(host: Host, found: Found, i: CommitWork, message: string): Promise<CommittedWork> {
  const { commonDir, branch } = found.record;
  await checkState(host, found);
  const ours = await mergeHeads(host, found);
  await worktreeGit(host, found, ['add', '--all'], { readOnly: false });
  const tree = (await worktreeGit(host, found, ['write-tree'], { readOnly: false })).stdout.toString().trim();
  await settleOverlay(host.git, found.places, found.record);
  const inside = `--git-dir=${commonDir}`;
  const tip = await commitAt(host.git, commonDir, `refs/heads/${branch}`);
  if (tip === null)
    throw new Fault('not_found', `Branch ${branch} is gone; close this worktree and open it again.`);
  const before = await host.git.text([inside, 'rev-parse', `${tip}^{tree}`]);
  if (tree === before && ours.length === 0) return { commit: null, files: 0 };
  const commit = await commitTree(host.git, inside, {
    tree,
    parents: [tip, ...ours],
    author: i.author,
    message,
  });
  host.point('runner.commit:before');
  await host.git.text([inside, 'update-ref', '-m', `commit: ${i.key}`, `refs/heads/${branch}`, commit, tip]);
  host.point('runner.commit:after');
  if (ours.length > 0) await worktreeGit(host, found, ['merge', '--quit'], { readOnly: false });
  return { commit, files: await countFiles(host, found, commit) };
}

/** The branch must be the one checked out, and no file may hold a conflict that was not resolved. */
async function checkState(host: Host, found: Found): Promise<void> {
  const { branch } = found.record;
  const head = await worktreeGit(host, found, ['symbolic-ref', '-q', 'HEAD'], {
    readOnly: true,
    allowFailure: true,
  });
  const current = head.stdout.toString().trim();
  if (current !== `refs/heads/${branch}`) {
    const where = current === '' ? 'no branch (a rebase or bisect may be going on)' : current;
    throw new Fault(
      'conflict',
      `The worktree is on ${where}; go back with \`git switch ${branch}\`, then commit.`,
    );
  }
  const listed = await worktreeGit(host, found, ['ls-files', '--unmerged', '-z'], { readOnly: true });
  const paths = listed.stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
  if (paths.length === 0) return;
  const search = [
    'grep',
    '-z',
    '-l',
    '-E',
    CONFLICT_MARKER,
    '--',
    ...new Set(paths.map((path) => `:(literal)${path}`)),
  ];
  const marked = await worktreeGit(host, found, search, { readOnly: true, allowFailure: true });
  const files = marked.stdout.toString().split('\0').filter(Boolean);
  if (files.length === 0) return;
  throw new Fault(
    'merge_conflict',
    `Conflicts are not resolved in ${files.join(', ')}; edit them, then commit.`,
    { files },
  );
}

/** Commits a merge that a command began has as further parents. */
async function mergeHeads(host: Host, found: Found): Promise<string[]> {
  const args = ['rev-parse', '-q', '--verify', 'MERGE_HEAD'];
  const done = await worktreeGit(host, found, args, { readOnly: true, allowFailure: true });
  return done.code === 0 ? [done.stdout.toString().trim()] : [];
}

/** The branch's commit with this key, looked for back to where the worktree started. */
async function findCommit(host: Host, { record }: Found, key: string): Promise<string | null> {
  const format = `--format=%H%x09%(trailers:key=${KEY_TRAILER},valueonly,separator=%x09)`;
  const range = [`refs/heads/${record.branch}`, '--not', record.base];
  const text = await host.git.text([`--git-dir=${record.commonDir}`, 'log', format, ...range, '--']);
  for (const line of text.split('\n')) {
    const [commit = '', ...keys] = line.split('\t');
    if (keys.includes(key)) return commit;
  }
  return null;
}

async function countFiles(host: Host, { record }: Found, commit: string): Promise<number> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--no-commit-id',
    '--name-only',
    '--no-renames',
    `${commit}^1`,
    commit,
  ];
  const text = await host.git.text([`--git-dir=${record.commonDir}`, ...args]);
  return text.split('\0').filter(Boolean).length;
}

function composeMessage(i: CommitWork): string {
  checkAuthor(i.author);
  const message = i.message.replace(/\r\n?/g, '\n').trim();
  if (message === '' || message.includes('\0')) {
    throw new Fault(
      'invalid_request',
      'A commit needs a message of at least one word and without NUL characters.',
    );
  }
  if (new RegExp(`^${KEY_TRAILER}\\s*:`, 'im').test(message)) {
    throw new Fault(
      'invalid_request',
      `A commit message cannot hold a line "${KEY_TRAILER}:"; leave it out.`,
    );
  }
  return `${message}\n\n${trailers(i.key, i.coAuthor === null ? [] : [i.coAuthor])}`;
}

/** Fault `invalid_request` for a key that would not be found again. */
export function trailers(key: string, coAuthors: CommitWork['author'][]): string {
  if (!/^[\w.:/@+-]{1,200}$/.test(key)) {
    throw new Fault(
      'invalid_request',
      `The key ${JSON.stringify(key)} has characters a trailer cannot hold.`,
    );
  }
  const lines = coAuthors.map(checkAuthor).map(({ name, email }) => `Co-authored-by: ${name} <${email}>`);
  return [...lines, `${KEY_TRAILER}: ${key}`].join('\n');
}
