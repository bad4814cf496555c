import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Fault } from '../kit/fault.ts';
import type { Git } from './git.ts';
import type { RepositoryFacts } from './runner.ts';

/** `commonDir` is the repository's own git directory, also when `top` is itself a linked worktree. */
export interface LocatedRepository {
  top: string;
  commonDir: string;
}

/** Branches the runner makes; it never writes any other. */
const BRANCH_PREFIX = 'control-center/';

/** Finds the repository a path belongs to. Fault `not_a_repository` with how to mend. */
export async function locateRepository(git: Git, path: string): Promise<LocatedRepository> {
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new Fault(
      'invalid_request',
      `Give the repository's absolute path instead of ${JSON.stringify(path)}.`,
    );
  }
  const real = await realpath(path).catch(() => null);
  if (real === null) throw unusable(path, 'there is no such folder on this machine. Check the path.');
  const query = ['rev-parse', '--path-format=absolute', '--is-bare-repository', '--git-common-dir'];
  const found = await git.attempt(['-C', real, ...query]);
  if (found.code !== 0)
    throw unusable(path, 'it is not in a git repository. Run `git init` there and commit once.');
  const [bare, commonDir] = String(found.stdout).trim().split('\n');
  if (bare === 'true') throw unusable(path, 'it is a bare repository. Clone it and link the clone.');
  const top = await git.attempt(['-C', real, 'rev-parse', '--show-toplevel']);
  if (top.code !== 0) throw unusable(path, 'it lies inside a .git folder. Link the folder above it.');
  return { top: await realpath(String(top.stdout).trim()), commonDir: await realpath(commonDir ?? '') };
}

export async function inspectRepository(git: Git, path: string): Promise<RepositoryFacts> {
  const { top } = await locateRepository(git, path);
  const head = await git.attempt(['-C', top, 'rev-parse', '--verify', '-q', 'HEAD^{commit}']);
  if (head.code !== 0) throw unusable(path, 'it has no commit yet. Commit once, then link it.');
  const status = await git.text(['-C', top, 'status', '--porcelain', '--ignore-submodules=all']);
  const branch = await defaultBranch(git, top);
  if (branch === null) throw unusable(path, 'it has no branch. Make one with `git switch -c main`.');
  return { path: top, defaultBranch: branch, head: String(head.stdout).trim(), dirty: status !== '' };
}

/** The commit a branch, tag or commit id names, branches first. Fault `invalid_request` when there is none. */
export async function resolveCommit(git: Git, commonDir: string, name: string): Promise<string> {
  const candidates = [`refs/heads/${name}`, `refs/remotes/${name}`, `refs/tags/${name}`];
  if (/^[0-9a-f]{7,64}$/.test(name)) candidates.push(name);
  if (name === 'HEAD') candidates.push('HEAD');
  for (const candidate of candidates) {
    const commit = await commitAt(git, commonDir, candidate);
    if (commit !== null) return commit;
  }
  throw new Fault('invalid_request', `The repository has no branch or commit ${JSON.stringify(name)}.`, {
    name,
  });
}

/** The commit a full ref name or id stands for, or null. */
export async function commitAt(git: Git, commonDir: string, name: string): Promise<string | null> {
  const args = [
    `--git-dir=${commonDir}`,
    'rev-parse',
    '--verify',
    '-q',
    '--end-of-options',
    `${name}^{commit}`,
  ];
  const found = await git.attempt(args);
  return found.code === 0 ? String(found.stdout).trim() : null;
}

/** Fault `invalid_request` unless git takes the name and it is one of ours. */
export async function checkBranch(git: Git, branch: string): Promise<void> {
  const valid = await git.attempt(['check-ref-format', '--branch', branch]);
  if (valid.code === 0 && branch.startsWith(BRANCH_PREFIX)) return;
  throw new Fault(
    'invalid_request',
    `${JSON.stringify(branch)} cannot name a branch here: use ${BRANCH_PREFIX}<id>, so that no other branch is touched.`,
  );
}

async function defaultBranch(git: Git, top: string): Promise<string | null> {
  const ask = async (...args: string[]) => {
    const answer = await git.attempt(['-C', top, ...args]);
    return answer.code === 0 ? String(answer.stdout).trim() : '';
  };
  const remote = (await ask('symbolic-ref', '-q', 'refs/remotes/origin/HEAD')).replace(
    'refs/remotes/origin/',
    '',
  );
  const local = await ask('for-each-ref', '--format=%(refname:short)', '--sort=-committerdate', 'refs/heads');
  const branches = local.split('\n').filter((name) => name !== '' && !name.startsWith(BRANCH_PREFIX));
  const current = await ask('symbolic-ref', '-q', '--short', 'HEAD');
  const wanted = [remote, current, 'main', 'master'].find((name) => branches.includes(name));
  return wanted ?? branches[0] ?? null;
}

function unusable(path: string, why: string): Fault {
  return new Fault('not_a_repository', `${path} cannot be linked: ${why}`, { path });
}
