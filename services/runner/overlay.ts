import { chmod, link, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { Fault, hasFaultCode } from '../kit/fault.ts';
import type { Git } from './git.ts';
import type { WorktreePlaces } from './layout.ts';
import type { WorktreeRecord } from './record.ts';
import { commitAt } from './repository.ts';
import { type GitMounts, SANDBOX_OBJECTS } from './sandbox.ts';

/**
 * Makes the overlay ready for a sandboxed process: directories, a copy of the settings without credentials, and the
 * branch where the source has it. A branch that a running command has moved is left as it is.
 */
export async function prepareOverlay(
  git: Git,
  places: WorktreePlaces,
  record: WorktreeRecord,
): Promise<GitMounts> {
  const { commonDir, adminDir, branch } = record;
  const at = (...parts: string[]) => join(places.overlay, ...parts);
  const heads = join('refs', 'heads', dirname(branch));
  const covers = [
    { from: at('objects'), to: join(commonDir, 'objects') },
    { from: at('refs'), to: join(commonDir, heads) },
    { from: at('logs'), to: join(commonDir, 'logs', heads) },
  ];
  for (const path of [at('objects', 'info'), at('refs'), at('logs'), at('info')])
    await mkdir(path, { recursive: true });
  for (const { to } of covers) await mkdir(to, { recursive: true });
  const alternates = await readAlternates(join(commonDir, 'objects'));
  await writeFile(at('info', 'alternates'), `${[SANDBOX_OBJECTS, ...alternates].join('\n')}\n`);
  await writeFile(at('config'), withoutCredentials(await readFile(join(commonDir, 'config'), 'utf8')));
  await writeFile(join(adminDir, 'config.worktree'), '', { flag: 'a' });
  await refreshBranch(git, places, record);
  return { commonDir, adminDir, config: at('config'), objectsInfo: at('info'), covers, alternates };
}

/**
 * Takes what sandboxed git made over into the source repository: objects are read and hashed anew by git itself, then
 * the branch moves. Only while no command runs in the worktree. Damaged objects are dropped, with Fault `git_failed`.
 */
export async function settleOverlay(git: Git, places: WorktreePlaces, record: WorktreeRecord): Promise<void> {
  const objects = join(places.overlay, 'objects');
  const files = await objectFiles(objects);
  if (files.length > 0) {
    await importObjects(git, places, record.commonDir, files).catch(async (error) => {
      if (hasFaultCode(error, 'git_failed')) await removeTree(objects);
      throw error;
    });
    await removeTree(objects);
  }
  await settleBranch(git, places, record);
}

async function settleBranch(git: Git, places: WorktreePlaces, record: WorktreeRecord): Promise<void> {
  const moved = await overlayBranch(places, record.branch);
  const synced = await syncedBranch(places);
  if (moved === null || synced === null || moved === synced) return;
  const ref = `refs/heads/${record.branch}`;
  const args = [`--git-dir=${record.commonDir}`, 'update-ref', '-m', 'command', ref, moved, synced];
  const done = await git.attempt(args);
  await refreshBranch(git, places, record, true);
  if (done.code !== 0) {
    throw new Fault(
      'conflict',
      `A command moved ${record.branch} to ${moved}, but it had changed outside meanwhile (${done.stderr.trim()}); that commit is in the repository, the branch was left.`,
      { commit: moved },
    );
  }
}

async function refreshBranch(
  git: Git,
  places: WorktreePlaces,
  record: WorktreeRecord,
  force = false,
): Promise<void> {
  const current = await commitAt(git, record.commonDir, `refs/heads/${record.branch}`);
  if (current === null) {
    throw new Fault('not_found', `Branch ${record.branch} is gone; close this worktree and open it again.`);
  }
  const inOverlay = await overlayBranch(places, record.branch);
  if (!force && inOverlay !== null && current === (await syncedBranch(places))) return;
  // The folder is a command's to fill: nothing in it is followed, all of it is made anew.
  const refs = join(places.overlay, 'refs');
  for (const name of await readdir(refs)) await rm(join(refs, name), { recursive: true, force: true });
  await writeFile(join(refs, basename(record.branch)), `${current}\n`, { flag: 'wx' });
  await writeFile(join(places.overlay, 'synced'), `${current}\n`);
}

/** What the overlay holds as the branch, or null when that is no commit id. */
async function overlayBranch(places: WorktreePlaces, branch: string): Promise<string | null> {
  const path = join(places.overlay, 'refs', basename(branch));
  const facts = await lstat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > 65) return null;
  const value = (await readFile(path, 'utf8')).trim();
  return /^[0-9a-f]{40,64}$/.test(value) ? value : null;
}

async function syncedBranch(places: WorktreePlaces): Promise<string | null> {
  return (await readFile(join(places.overlay, 'synced'), 'utf8').catch(() => '')).trim() || null;
}

/** Regular files alone, with the names git gives: a link or an `alternates` file could name what is not theirs. */
async function objectFiles(objects: string): Promise<string[]> {
  const found: string[] = [];
  for (const dir of await readdir(objects).catch(() => [])) {
    if (!/^([0-9a-f]{2}|pack)$/.test(dir) || !(await lstat(join(objects, dir))).isDirectory()) continue;
    const wanted = dir === 'pack' ? /^pack-[0-9a-f]{40,64}\.(pack|idx)$/ : /^[0-9a-f]{38,62}$/;
    for (const entry of await readdir(join(objects, dir), { withFileTypes: true })) {
      if (entry.isFile() && wanted.test(entry.name)) found.push(join(dir, entry.name));
    }
  }
  return found;
}

const UNPACK_AT_MOST = 500;

async function importObjects(
  git: Git,
  places: WorktreePlaces,
  commonDir: string,
  files: string[],
): Promise<void> {
  const copy = join(places.staging, `objects-${crypto.randomUUID()}`);
  const inside = `--git-dir=${commonDir}`;
  const env = { GIT_OBJECT_DIRECTORY: copy };
  try {
    for (const file of files) {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      await link(join(places.overlay, 'objects', file), join(copy, file));
    }
    const list = [inside, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)'];
    const ids = await git.text(list, { env });
    const pack = join(copy, 'taken-over');
    await git.text([inside, 'pack-objects', '-q', pack], { env, input: `${ids}\n` });
    const unpack =
      ids.split('\n').length <= UNPACK_AT_MOST ? ['unpack-objects', '-q'] : ['index-pack', '--stdin'];
    const made = (await readdir(copy)).find((name) => /^taken-over-.*\.pack$/.test(name)) ?? '';
    await git.text([inside, ...unpack], { input: await readFile(join(copy, made)) });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Other repositories this one borrows objects from, as absolute paths, those of theirs too. */
export async function readAlternates(objects: string, depth = 0): Promise<string[]> {
  const text = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const own = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)));
  if (depth >= 5) return own;
  const theirs = await Promise.all(own.map((path) => readAlternates(path, depth + 1)));
  return [...new Set([...own, ...theirs.flat()])];
}

function withoutCredentials(config: string): string {
  return config
    .replace(/(:\/\/)[^/@\s"]+@/g, '$1')
    .split('\n')
    .filter((line) => !/^\s*(extraheader|password|token)\b/i.test(line))
    .join('\n');
}

/** Objects are read-only files in folders a command may have closed; opened again so that they can be removed. */
export async function removeTree(path: string): Promise<void> {
  const removed = await rm(path, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
  if (removed) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700);
  }
  await rm(path, { recursive: true, force: true });
}
