import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OpenWorktree, WorktreeRef } from './runner.ts';

/** A real repository and data folder in a temporary place, for tests. */
export interface Fixture {
  root: string;
  dataDir: string;
  source: { name: string; path: string };
  /** Runs git in the source (or `cwd`) and answers its output; throws when git fails. */
  git(...args: string[]): string;
  /** Commits files onto a branch of the source, in a clone, so that its checkout does not move. */
  commitTo(branch: string, from: string, files: Record<string, string>): Promise<string>;
  ref(conversationId?: string): WorktreeRef;
  opening(conversationId?: string, more?: Partial<OpenWorktree>): OpenWorktree;
  /** What must never change of the source. */
  sourceState(): Record<string, string>;
  remove(): void;
}

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];

function runGit(cwd: string, args: string[]): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const done = Bun.spawnSync(['git', ...IDENTITY, ...args], { cwd, env });
  if (done.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.toString().trimEnd();
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** `files` is what the first commit on `main` holds. */
export async function createFixture(
  files: Record<string, string> = { 'README.md': 'one\ntwo\n' },
): Promise<Fixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')));
  const path = join(root, 'source');
  await mkdir(path);
  const git = (...args: string[]) => runGit(path, args);
  git('init', '-q', '-b', 'main');
  await writeFiles(path, files);
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  const source = { name: 'app', path };
  const ref = (conversationId = 'c1') => ({ workspaceId: 'ws', conversationId, repository: 'app' });
  return {
    root,
    dataDir: join(root, 'data'),
    source,
    git,
    async commitTo(branch, from, changes) {
      const clone = mkdtempSync(join(root, 'clone-'));
      runGit(clone, ['clone', '-q', path, '.']);
      runGit(clone, ['switch', '-q', '-c', `work-${branch}`, `origin/${from}`]);
      await writeFiles(clone, changes);
      runGit(clone, ['add', '-A']);
      runGit(clone, ['commit', '-q', '-m', `Change ${branch}`]);
      runGit(clone, ['push', '-q', 'origin', `HEAD:refs/heads/${branch}`]);
      return runGit(clone, ['rev-parse', 'HEAD']);
    },
    ref,
    opening: (conversationId = 'c1', more = {}) => ({
      ...ref(conversationId),
      source,
      branch: `control-center/${conversationId}`,
      base: 'main',
      merge: [],
      ...more,
    }),
    sourceState: () => ({
      head: git('symbolic-ref', 'HEAD'),
      commit: git('rev-parse', 'HEAD'),
      status: git('status', '--porcelain'),
      branches: git('for-each-ref', '--format=%(refname) %(objectname)')
        .split('\n')
        .filter((line) => !/^refs\/(heads\/)?control-center\//.test(line))
        .join('\n'),
      fsck: git('fsck', '--strict', '--no-dangling'),
      config: git('config', '--local', '--list'),
    }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
