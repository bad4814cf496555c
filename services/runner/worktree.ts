import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { type FinishedProcess, runProcess } from './child.ts';
import { gitEnvironment } from './environment.ts';
import { GIT_FLAGS, textOf } from './git.ts';
import type { Host } from './host.ts';
import type { WorktreePlaces } from './layout.ts';
import { prepareOverlay } from './overlay.ts';
import { readRecord, type WorktreeRecord } from './record.ts';
import type { WorktreeRef } from './runner.ts';
import { type Posture, sandboxArguments } from './sandbox.ts';

/** An open worktree, found. */
export interface Found {
  places: WorktreePlaces;
  record: WorktreeRecord;
}

/** Fault `not_found` when it has not been opened or is closed. */
export async function findWorktree(host: Host, ref: WorktreeRef): Promise<Found> {
  const places = host.places(ref);
  const record = await readRecord<WorktreeRecord>(places.record);
  const there = await lstat(places.worktree).catch(() => null);
  if (record?.state === 'open' && there?.isDirectory()) return { places, record };
  throw new Fault(
    'not_found',
    `Conversation ${ref.conversationId} has no open worktree of ${ref.repository}; open it first.`,
  );
}

/** The sandbox's posture for a process in the worktree, with its overlay made ready. */
export async function postureOf(
  host: Host,
  { places, record }: Found,
  i: { readOnly: boolean; env: Record<string, string> },
): Promise<Posture> {
  const writable = [places.home, places.temp];
  for (const path of [...writable, places.staging]) await mkdir(path, { recursive: true });
  return {
    ...i,
    worktree: places.worktree,
    writable,
    dataDir: host.dataDir,
    git: await host.perRepository(places.overlay, () => prepareOverlay(host.git, places, record)),
    readable: host.readable,
    hidden: host.hidden,
  };
}

/**
 * Runs git on the worktree's files, inside the sandbox where there is one: files and nested repositories in it are the
 * agent's, and git has many ways to run a program that they name. Fault `git_failed` unless `allowFailure`.
 */
export async function worktreeGit(
  host: Host,
  found: Found,
  args: readonly string[],
  o: { readOnly: boolean; maxBytes?: number; allowFailure?: boolean; newFiles?: boolean },
): Promise<FinishedProcess> {
  const { places, record } = found;
  const env = {
    ...gitEnvironment(await host.nextMarker('brief')),
    GIT_DIR: record.adminDir,
    GIT_WORK_TREE: places.worktree,
  };
  const prelude = o.newFiles ? ['/bin/sh', '-c', WITH_NEW_FILES, 'git', record.commonDir] : [];
  const command = [...prelude, 'git', ...GIT_FLAGS, ...args] as [string, ...string[]];
  const options = {
    env,
    cwd: places.worktree,
    ...(o.maxBytes === undefined ? {} : { maxBytes: o.maxBytes }),
  };
  const sandbox = await host.sandbox();
  if (sandbox.backend === null) return finish(await runProcess(command, options), args, o);
  const posture = await postureOf(host, found, { readOnly: o.readOnly, env });
  const wrapped = sandboxArguments(posture, sandbox.disableUserNamespaces);
  return finish(await runProcess(['bwrap', ...wrapped, '--', ...command], options), args, o);
}

/** Before a command, marks new files in a copy of the index, so that a diff shows them and the index stays as it is. */
const WITH_NEW_FILES = [
  'shared=$1; shift; spare=$(mktemp -d) || exit; trap \'rm -rf "$spare"\' EXIT',
  'mkdir "$spare/objects" && cp "$GIT_DIR/index" "$spare/index" || exit',
  'export GIT_INDEX_FILE="$spare/index" GIT_OBJECT_DIRECTORY="$spare/objects"',
  'export GIT_ALTERNATE_OBJECT_DIRECTORIES="$shared/objects"',
  `git ${GIT_FLAGS.map((flag) => `'${flag}'`).join(' ')} add --intent-to-add . || exit; "$@"`,
].join('\n');

function finish(
  done: FinishedProcess,
  args: readonly string[],
  o: { allowFailure?: boolean },
): FinishedProcess {
  if (!o.allowFailure && !done.overflow) textOf(done, args);
  return done;
}

/** The administrative folder that belongs to a worktree path, whatever git named it, or null. */
export async function adminDirOf(commonDir: string, worktree: string): Promise<string | null> {
  const parent = join(commonDir, 'worktrees');
  for (const name of await readdir(parent).catch(() => [])) {
    const pointer = await readFile(join(parent, name, 'gitdir'), 'utf8').catch(() => '');
    if (pointer.trim() === join(worktree, '.git')) return join(parent, name);
  }
  return null;
}
