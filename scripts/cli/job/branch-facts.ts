import { existsSync } from 'node:fs';

/** What a job left in a repository, for the person who will merge it. */
export interface BranchFacts {
  repository: string;
  branch: string;
  /** Git's summary by file against where the branch left what is checked out; null when it cannot be told here. */
  stat: string | null;
  mergeCommand: string;
}

/** Looks at the branch in the local repository; on another host than the server's there is nothing to look at. */
export async function branchFacts(repository: string, branch: string): Promise<BranchFacts> {
  const mergeCommand = `git -C ${shellWord(repository)} merge ${shellWord(branch)}`;
  const stat = existsSync(repository) ? await diffStat(repository, branch) : null;
  return { repository, branch, stat, mergeCommand };
}

async function diffStat(repository: string, branch: string): Promise<string | null> {
  const command = [
    'git',
    '-C',
    repository,
    'diff',
    '--stat=100',
    '--no-color',
    '--no-ext-diff',
    `HEAD...${branch}`,
    '--',
  ];
  const git = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' });
  const [text, exitCode] = await Promise.all([Bun.readableStreamToText(git.stdout), git.exited]);
  return exitCode === 0 ? text.trimEnd() : null;
}

/** A word that a POSIX shell reads as it is. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
