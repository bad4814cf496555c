import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault, hasFaultCode } from '../kit/fault.ts';
import { applyEdit } from './file-edit.ts';
import { readText, versionOf } from './file-read.ts';
import { fileFault, notAFile, openSlot, type Slot } from './inside.ts';
import type { WorktreePlaces } from './layout.ts';
import type { EditedFile, EditFile, WriteFile, WrittenFile } from './runner.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

type Point = (name: string) => void;

/**
 * Puts a file's whole content in place in one step: it is written beside the worktree, reaches the disk, then is
 * renamed. A link is followed to the file it leads to; the mode of an existing file is kept.
 */
export async function writeText(places: WorktreePlaces, i: WriteFile, point: Point): Promise<WrittenFile> {
  const bytes = Buffer.from(i.content, 'utf8');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Fault('too_large', `${i.path} would have ${bytes.length} bytes, more than ${MAX_FILE_BYTES}.`);
  }
  if (i.version !== undefined) await checkVersion(places, i.path, i.version);
  const slot = await openSlot(places.worktree, i.path, { makeFolders: true, followLink: true });
  try {
    if (slot.existing !== null && !slot.existing.isFile()) throw notAFile(slot.shown, slot.existing);
    await replace(places, slot, bytes, point);
    return { bytes: bytes.length, created: slot.existing === null, version: versionOf(bytes) };
  } finally {
    await slot.folder.close();
  }
}

/** A file that is gone is none that could be overwritten. Fault `conflict`. */
async function checkVersion({ worktree }: WorktreePlaces, path: string, version: string): Promise<void> {
  const now = await versionAt(worktree, path);
  if (now === null || now === version) return;
  throw new Fault(
    'conflict',
    `${path} has changed since you last read or wrote it: by a command, another agent or a person. Nothing was written. Read it again, and keep what is new in it.`,
    { path },
  );
}

/** Null where there is no file; what is no text counts as a version of its own. */
async function versionAt(worktree: string, path: string): Promise<string | null> {
  try {
    return (await readText(worktree, path)).version;
  } catch (error) {
    if (hasFaultCode(error, 'file_not_found')) return null;
    if (hasFaultCode(error, 'invalid_request', 'too_large')) return '';
    throw error;
  }
}

/** Faults `no_match`, `ambiguous_match` and those of reading and writing. */
export async function editText(places: WorktreePlaces, i: EditFile, point: Point): Promise<EditedFile> {
  const { text, version } = await readText(places.worktree, i.path);
  const edited = applyEdit(text, i);
  const written = await writeText(places, { path: i.path, content: edited.text }, point);
  return {
    replacements: edited.replacements,
    line: text.slice(0, text.indexOf(i.oldText)).split('\n').length,
    version: written.version,
    wasChanged: i.version !== undefined && i.version !== version,
  };
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
