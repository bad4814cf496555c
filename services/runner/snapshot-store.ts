import { access, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FinishedProcess, runProcess } from './child.ts';
import { gitEnvironment } from './environment.ts';
import { GIT_FLAGS } from './git.ts';
import type { Host } from './host.ts';
import { readAlternates, removeTree } from './overlay.ts';
import type { WorktreeRecord } from './record.ts';
import { commitAt } from './repository.ts';
import { isolationArguments } from './sandbox.ts';
import type { Found } from './worktree.ts';

/**
 * Snapshots of a worktree lie in a git directory of the runner's own, beside the worktree and unseen by commands. It holds
 * every tree and every file that differs from the commit it began with; the rest is read from the source, where one ref
 * keeps that commit from being collected. So the source gets no object, and closing the worktree frees all of it.
 */

/** Hashing a worktree full of new large files may take its time; more than this is given up. */
const TIMEOUT_MS = 60_000;

/** Files are kept byte for byte: no line ending is converted and no filter runs, whatever the repository says. */
const ATTRIBUTES = '* -text -eol -crlf -ident -filter -working-tree-encoding\n';

/** One author and moment for all, so that the same files are the same commit. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Control Center',
  GIT_AUTHOR_EMAIL: 'control-center@localhost',
  GIT_AUTHOR_DATE: '@0 +0000',
  GIT_COMMITTER_NAME: 'Control Center',
  GIT_COMMITTER_EMAIL: 'control-center@localhost',
  GIT_COMMITTER_DATE: '@0 +0000',
};

/** `g` runs git as every call of the runner's does. */
const PRELUDE = `g() { git ${GIT_FLAGS.map((flag) => `'${flag}'`).join(' ')} -c advice.addEmbeddedRepo=false "$@"; }`;

const SEED = `g read-tree "$1" && { g update-index -q --refresh || true; }`;

/** The ref in the source that keeps the commit the snapshots began with; each branch is one worktree's. */
function pinOf({ branch }: WorktreeRecord): string {
  return `refs/control-center/checkpoints/${branch.replace(/^control-center\//, '')}`;
}

/** Makes the store ready; one that an earlier attempt left half made is made anew. Only one at a time per worktree. */
export async function prepareStore(host: Host, found: Found): Promise<void> {
  const { places, record } = found;
  const at = (name: string) => join(places.snapshots, name);
  // Whoever held it is gone: those of a dead server have been ended, and this process runs one at a time.
  await removeLocks(places.snapshots);
  await removeLocks(at('refs/checkpoints'));
  if (!(await exists(at('ready')))) await makeStore(host, found);
  await copyExcludes(record, at('info/exclude'));
}

async function removeLocks(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  for (const name of names.filter((one) => one.endsWith('.lock')))
    await rm(join(folder, name), { force: true });
}

/** Nobody but the runner writes this ref, so a lock of it is that of a killed git. */
async function unlockPin(record: WorktreeRecord): Promise<void> {
  await rm(join(record.commonDir, `${pinOf(record)}.lock`), { force: true });
}

async function makeStore(host: Host, found: Found): Promise<void> {
  const { places, record } = found;
  const { commonDir, branch, head } = record;
  await removeTree(places.snapshots);
  await mkdir(join(places.snapshots, 'info'), { recursive: true });
  const format = await host.git.text([`--git-dir=${commonDir}`, 'rev-parse', '--show-object-format']);
  const init = ['init', '-q', '--bare', '--template=', `--object-format=${format}`, places.snapshots];
  await host.git.text(init);
  await writeFile(join(places.snapshots, 'info', 'attributes'), ATTRIBUTES);
  await unlockPin(record);
  const seed = (await commitAt(host.git, commonDir, `refs/heads/${branch}`)) ?? head;
  await host.git.text([`--git-dir=${commonDir}`, 'update-ref', pinOf(record), seed]);
  const seeded = await inStore(host, found, { script: SEED, args: [seed], readsSource: true });
  // An empty index is as good, only slower the first time.
  if (seeded.code !== 0) await rm(join(places.snapshots, 'index'), { force: true });
  await writeFile(join(places.snapshots, 'ready'), `${seed}\n`);
}

async function copyExcludes({ commonDir }: WorktreeRecord, to: string): Promise<void> {
  await copyFile(join(commonDir, 'info', 'exclude'), to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return rm(to, { force: true });
  });
}

/** Removes what `prepareStore` made, the ref in the source last. Can be run again. */
export async function removeStore(host: Host, { places, record }: Found): Promise<void> {
  await host.perRepository(places.snapshots, async () => {
    await removeTree(places.snapshots);
    await unlockPin(record);
    const pin = pinOf(record);
    if ((await commitAt(host.git, record.commonDir, pin)) !== null)
      await host.git.text([`--git-dir=${record.commonDir}`, 'update-ref', '-d', pin]);
  });
}

interface StoreProcess {
  script: string;
  args: readonly string[];
  /** Files of the commit it began with are looked for in the source; without it all that is written is written here. */
  readsSource: boolean;
}

/**
 * Runs a shell script with git on the worktree's files and the store, in the sandbox where there is one: a repository
 * nested in the worktree can name programs for git to run.
 */
export async function inStore(host: Host, found: Found, i: StoreProcess): Promise<FinishedProcess> {
  const { places, record } = found;
  const env = {
    ...gitEnvironment(await host.nextMarker('brief')),
    ...IDENTITY,
    GIT_DIR: places.snapshots,
    GIT_WORK_TREE: places.worktree,
    ...(i.readsSource && { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(record.commonDir, 'objects') }),
  };
  const command = ['/bin/sh', '-c', `${PRELUDE}\n${i.script}`, 'snapshot', ...i.args] as const;
  const options = { env, cwd: places.worktree, timeoutMs: TIMEOUT_MS };
  const sandbox = await host.sandbox();
  if (sandbox.backend === null) return runProcess([...command], options);
  const isolation = isolationArguments(env, sandbox.disableUserNamespaces);
  return runProcess(['bwrap', ...isolation, ...(await mounts(host, found)), '--', ...command], options);
}

/** The worktree, the store, and of the source nothing but its objects and what the worktree's index lists. */
async function mounts(host: Host, { places, record }: Found): Promise<string[]> {
  const objects = join(record.commonDir, 'objects');
  const index = join(record.adminDir, 'index');
  const args = ['--tmpfs', host.dataDir];
  for (const path of [objects, ...(await readAlternates(objects))]) args.push('--ro-bind-try', path, path);
  args.push('--ro-bind-try', index, index);
  for (const path of [places.worktree, places.snapshots]) args.push('--bind', path, path);
  return [...args, '--remount-ro', host.dataDir, '--remount-ro', '/', '--chdir', places.worktree];
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
