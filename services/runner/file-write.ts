import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { fileFault, notAFile, openSlot, type Slot } from './inside.ts';
import type { WorktreePlaces } from './layout.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

type Point = (name: string) => void;

/**
 * Puts a file's whole content in place in one step: it is written beside the worktree, reaches the disk, then is
 * renamed. A link is followed to the file it leads to; the mode of an existing file is kept.
 */
export async function writeText(
  places: WorktreePlaces,
  i: { path: string; content: string },
  point: Point,
): Promise<{ bytes: number; created: boolean }> {
  const bytes = Buffer.from(i.content, 'utf8');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Fault('too_large', `${i.path} would have ${bytes.length} bytes, more than ${MAX_FILE_BYTES}.`);
  }
  const slot = await openSlot(places.worktree, i.path, { makeFolders: true, followLink: true });
  try {
    if (slot.existing !== null && !slot.existing.isFile()) throw notAFile(slot.shown, slot.existing);
    await replace(places, slot, bytes, point);
    return { bytes: bytes.length, created: slot.existing === null };
  } finally {
    await slot.folder.close();
  }
}

async function replace(places: WorktreePlaces, slot: Slot, bytes: Buffer, point: Point): Promise<void> {
  const draft = join(places.staging, crypto.randomUUID());
  try {
    await mkdir(places.staging, { recursive: true });
    const file = await open(draft, 'wx', (slot.existing?.mode ?? 0o644) & 0o777);
    try {
      await file.writeFile(bytes);
      if (slot.existing !== null) await file.chmod(slot.existing.mode & 0o777);
      await file.sync();
    } finally {
      await file.close();
    }
    point('runner.write:before');
    await rename(draft, slot.target);
    point('runner.write:after');
  } catch (error) {
    await rm(draft, { force: true });
    throw fileFault(error, slot.shown);
  }
}

/** Removes a file, or a link itself and not what it leads to. */
export async function deleteText(places: WorktreePlaces, path: string): Promise<void> {
  const slot = await openSlot(places.worktree, path, { makeFolders: false, followLink: false });
  try {
    if (slot.existing?.isDirectory()) throw notAFile(slot.shown, slot.existing);
    await unlink(slot.target).catch((error) => Promise.reject(fileFault(error, slot.shown)));
  } finally {
    await slot.folder.close();
  }
}
