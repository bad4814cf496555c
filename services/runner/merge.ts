import { Fault } from '../kit/fault.ts';
import { type Git, gitFault } from './git.ts';
import { resolveCommit } from './repository.ts';
import type { Author, MergeConflict } from './runner.ts';

export interface MergeBranches {
  commonDir: string;
  start: string;
  branches: readonly string[];
  author: Author;
  /** Lines below the merge commit's subject. */
  trailer: string;
}

export interface MergedBranches {
  head: string;
  merged: string[];
  conflicts: MergeConflict[];
}

/**
 * Merges branches onto a commit, in order, in the object database alone: no ref, index or file is touched, so that
 * nothing can be left half merged. A branch that conflicts is listed and the next one is tried without it.
 */
export async function mergeBranches(git: Git, i: MergeBranches): Promise<MergedBranches> {
  const tips: { branch: string; tip: string }[] = [];
  for (const branch of i.branches) tips.push({ branch, tip: await resolveCommit(git, i.commonDir, branch) });
  const result: MergedBranches = { head: i.start, merged: [], conflicts: [] };
  for (const { branch, tip } of tips) {
    const step = await mergeOne(git, i, result.head, { branch, tip });
    if (step.conflicts.length > 0) result.conflicts.push({ branch, files: step.conflicts });
    else result.merged.push(branch);
    result.head = step.head;
  }
  return result;
}

async function mergeOne(
  git: Git,
  i: MergeBranches,
  head: string,
  { branch, tip }: { branch: string; tip: string },
): Promise<{ head: string; conflicts: string[] }> {
  const inside = `--git-dir=${i.commonDir}`;
  const contained = await git.attempt([inside, 'merge-base', '--is-ancestor', tip, head]);
  if (contained.code === 0) return { head, conflicts: [] };
  const { tree, conflicts } = await mergeTrees(git, inside, head, tip);
  if (conflicts.length > 0) return { head, conflicts };
  const message = `Merge ${branch}\n\n${i.trailer}`.trim();
  return {
    head: await commitTree(git, inside, { tree, parents: [head, tip], author: i.author, message }),
    conflicts,
  };
}

async function mergeTrees(
  git: Git,
  inside: string,
  ours: string,
  theirs: string,
): Promise<{ tree: string; conflicts: string[] }> {
  const args = [inside, 'merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const done = await git.attempt(args);
  if (done.code === 129) throw new Fault('unavailable', 'Merging needs git 2.38 or newer; update git.');
  if (done.code !== 0 && done.code !== 1) throw gitFault(done, args);
  const [tree = '', ...files] = String(done.stdout).split('\0');
  const named = [...new Set(files.filter((file) => file !== ''))];
  // A conflict without a file of its own is still one.
  return { tree, conflicts: done.code === 1 && named.length === 0 ? ['(whole tree)'] : named };
}

/** Makes a commit object; no ref moves. */
export async function commitTree(
  git: Git,
  inside: string,
  i: { tree: string; parents: readonly string[]; author: Author; message: string },
): Promise<string> {
  const parents = i.parents.flatMap((parent) => ['-p', parent]);
  const { name, email } = checkAuthor(i.author);
  return git.text([inside, 'commit-tree', i.tree, ...parents, '-F', '-'], {
    input: `${i.message}\n`,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  });
}

/** Fault `invalid_request` for a name or address that would break a commit's header or trailer. */
export function checkAuthor(author: Author): Author {
  const { name, email } = author;
  if (/[^\s.,:;<>"\\']/.test(name) && !/[<>\p{Cc}]/u.test(name) && /^[^\s<>\p{Cc}]+$/u.test(email))
    return author;
  throw new Fault(
    'invalid_request',
    `A commit cannot name ${JSON.stringify(author)}: give a name and an e-mail address without "<", ">" or line breaks.`,
  );
}
