/** The top folder of the git repository that a path is in; null when it is in none. `path` may be relative to `cwd`. */
export async function topLevel(path: string, cwd: string): Promise<string | null> {
  const { text, exitCode } = await git(['-C', path, 'rev-parse', '--show-toplevel'], cwd);
  return exitCode === 0 ? text.trim() || null : null;
}

/** What is in the checkout and not where agents start, a sentence each; they start from the default branch's commit. */
export async function unseenByAgents(repository: string): Promise<string[]> {
  const ask = async (...args: string[]) => (await git(['-C', repository, ...args], repository)).text.trim();
  const [status, current, remote] = await Promise.all([
    ask('status', '--porcelain'),
    ask('symbolic-ref', '-q', '--short', 'HEAD'),
    ask('symbolic-ref', '-q', '--short', 'refs/remotes/origin/HEAD'),
  ]);
  const start = remote.replace(/^origin\//, '');
  const isElsewhere =
    start !== '' &&
    current !== start &&
    (await ask('rev-parse', '-q', '--verify', `refs/heads/${start}`)) !== '';
  return [
    ...(status === '' ? [] : ['Agents do not see what is not committed here.']),
    ...(isElsewhere
      ? [`Agents start from ${start}, not from ${current || 'the commit'} that is checked out.`]
      : []),
  ];
}

async function git(args: string[], cwd: string): Promise<{ text: string; exitCode: number }> {
  const child = Bun.spawn(['git', ...args], { cwd, stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' });
  const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  return { text, exitCode };
}
