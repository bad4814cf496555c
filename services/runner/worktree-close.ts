import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { dirtyFiles } from './history.ts';
import type { Host } from './host.ts';
import type { WorktreePlaces } from './layout.ts';
import { removeTree } from './overlay.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';
import { commitAt } from './repository.ts';
import type { ClosedWorktree, WorktreeRef } from './runner.ts';
import { removeStore } from './snapshot-store.ts';
import { adminDirOf, type Found } from './worktree.ts';
import { mendWorktree } from './worktree-mend.ts';

/** See `Runner.closeWorktree`. One that is closed already answers as removed. */
export async function closeWorktree(
  host: Host,
  ref: WorktreeRef,
  i: { discard: boolean },
): Promise<ClosedWorktree> {
  const places = host.places(ref);
  return host.gate.exclusive(places.worktree, async () => {
    const record = await readRecord<WorktreeRecord>(places.record);
    if (record === null) return { removed: true, reason: null };
    return host.perRepository(record.commonDir, async () => {
      const reason = await reasonToKeep(host, { places, record }, i.discard);
      if (reason !== null && !i.discard) return { removed: false, reason: `${reason}; it was kept` };
      await writeRecord(places.record, { ...record, state: 'closing' });
      host.point('runner.worktree:closing');
      await finishClosing(host, places, record);
      host.point('runner.worktree:closed');
      return { removed: true, reason: reason === null ? null : `${reason}; it was discarded` };
    });
  });
}

/** Says what would be lost, or null. */
async function unsavedWork(host: Host, found: Found): Promise<string | null> {
  const { record, places } = found;
  const folder = await lstat(places.worktree).catch(() => null);
  if (folder !== null) await mendWorktree(host, found);
  const dirty = folder === null ? [] : await dirtyFiles(host, found);
  const tip = await commitAt(host.git, record.commonDir, `refs/heads/${record.branch}`);
  const unmerged = tip === null ? 0 : await unmergedCommits(host, found);
  const parts = [
    dirty.length > 0 ? `${dirty.length} uncommitted file(s), ${dirty[0]} among them` : '',
    unmerged > 0 ? `${unmerged} unmerged commit(s) up to ${tip}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `The worktree has ${parts.join(' and ')}`;
}

/** A discard goes on when the worktree is too broken to say what is in it. */
async function reasonToKeep(host: Host, found: Found, discard: boolean): Promise<string | null> {
  if (found.record.state !== 'open') return null;
  return unsavedWork(host, found).catch((error) => {
    if (!discard || !(error instanceof Fault)) throw error;
    return `The worktree could not be examined (${error.message})`;
  });
}

/** Commits of the branch that are neither in what it was made from nor on any other branch or tag. */
async function unmergedCommits(host: Host, { record }: Found): Promise<number> {
  const ref = `refs/heads/${record.branch}`;
  const others = [`--exclude=${ref}`, '--exclude=refs/control-center/*', '--glob=refs/*'];
  const args = ['rev-list', '--count', ref, '--not', record.base, record.head, ...others];
  return Number(await host.git.text([`--git-dir=${record.commonDir}`, ...args]));
}

/** Removes the worktree, its administrative folder, its branch and its record, in that order; can be run again. */
export async function finishClosing(
  host: Host,
  places: WorktreePlaces,
  record: WorktreeRecord,
): Promise<void> {
  host.settled.delete(places.worktree);
  const trash = join(places.staging, `closed-${crypto.randomUUID()}`);
  await mkdir(places.staging, { recursive: true });
  await rename(places.worktree, trash).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await removeTree(trash);
  const adminDir = await adminDirOf(record.commonDir, places.worktree);
  if (adminDir !== null) await removeTree(adminDir);
  const ref = `refs/heads/${record.branch}`;
  const inside = `--git-dir=${record.commonDir}`;
  if ((await commitAt(host.git, record.commonDir, ref)) !== null)
    await host.git.text([inside, 'update-ref', '-d', ref]);
  await removeTree(places.overlay);
  await removeStore(host, { places, record });
  await rm(places.record, { force: true });
}
