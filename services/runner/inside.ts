import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, relative } from 'node:path';
import { Fault, type FaultCode } from '../kit/fault.ts';

/** A place in the worktree: `real` is absolute with links followed, `shown` the path as the caller knows it. */
export interface Place {
  root: string;
  shown: string;
  real: string;
}

/** What git treats as its own folder on some file system: any case, trailing dots, short names, unseen characters. */
function isGitName(name: string): boolean {
  const plain = name
    .replace(/\p{Cf}/gu, '')
    .replace(/[ .]+$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain) || plain.startsWith('.git:');
}

/** Checks a path by its letters alone; '' is the worktree itself. Fault `path_outside_worktree`. */
export function checkPath(path: string): string {
  if (path.includes('\0')) throw new Fault('invalid_request', 'A path cannot hold a NUL character.');
  const normal = posix.normalize(path === '' ? '.' : path).replace(/\/+$/, '');
  if (posix.isAbsolute(path) || normal === '..' || normal.startsWith('../')) throw outside(path);
  if (normal.split('/').some(isGitName)) throw gitInternal(path);
  return normal === '.' ? '' : normal;
}

/** Follows every link of an existing path. Faults `file_not_found`, `path_outside_worktree`. */
export async function existingPlace(worktree: string, path: string): Promise<Place> {
  const shown = checkPath(path);
  const root = await realpath(worktree);
  const real = await realpath(join(root, shown)).catch((error) => Promise.reject(fileFault(error, shown)));
  return checkPlace({ root, shown, real });
}

/** Opens a regular file to read, and checks what was opened rather than what the path said a moment before. */
export async function openToRead(
  worktree: string,
  path: string,
): Promise<{ file: FileHandle; facts: Stats }> {
  const place = await existingPlace(worktree, path);
  const before = await lstat(place.real).catch((error) => Promise.reject(fileFault(error, place.shown)));
  if (!before.isFile()) throw notAFile(place.shown, before);
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(place.real, flags).catch((error) => Promise.reject(fileFault(error, place.shown)));
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw notAFile(place.shown, facts);
    checkPlace({ ...place, real: await openedPath(file, place.real) });
    return { file, facts };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Where a file is to be put: its folder held open, so that a folder swapped for a link meanwhile changes nothing.
 * `target` is a path through the held folder; `existing` describes what is there. The caller closes `folder`.
 */
export interface Slot {
  shown: string;
  target: string;
  existing: Stats | null;
  folder: FileHandle;
}

/** `makeFolders` makes the folders that are missing; `followLink` takes a link at the end to where it leads. */
export async function openSlot(
  worktree: string,
  path: string,
  o: { makeFolders: boolean; followLink: boolean },
): Promise<Slot> {
  const shown = checkPath(path);
  if (shown === '') throw new Fault('invalid_request', 'Name a file; the path is the worktree itself.');
  const root = await realpath(worktree);
  const link = await lstat(join(root, shown)).catch(() => null);
  if (o.followLink && link?.isSymbolicLink()) {
    const place = await existingPlace(worktree, path);
    return slotAt({ ...place, root }, dirname(place.real), basename(place.real));
  }
  const parent = await parentOf(root, shown, o.makeFolders);
  return slotAt({ root, shown, real: parent }, parent, posix.basename(shown));
}

async function parentOf(root: string, shown: string, makeFolders: boolean): Promise<string> {
  let real = root;
  for (const part of posix.dirname(shown).split('/')) {
    if (part === '.') continue;
    const next = join(real, part);
    if (makeFolders) {
      await mkdir(next).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw fileFault(error, shown);
      });
    }
    real = await realpath(next).catch((error) => Promise.reject(fileFault(error, shown)));
    checkPlace({ root, shown, real });
  }
  return real;
}

async function slotAt(place: Place, parent: string, name: string): Promise<Slot> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const folder = await open(parent, flags).catch((error) => Promise.reject(fileFault(error, place.shown)));
  try {
    checkPlace({ ...place, real: await openedPath(folder, parent) });
    const held = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : parent;
    const target = join(held, name);
    const existing = await lstat(target).catch(() => null);
    return { shown: place.shown, target, existing, folder };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function openedPath(file: FileHandle, otherwise: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${file.fd}`) : otherwise;
}

function checkPlace(place: Place): Place {
  const inside = relative(place.root, place.real);
  if (inside === '..' || inside.startsWith('../')) throw outside(place.shown);
  if (inside.split('/').some(isGitName)) throw gitInternal(place.shown);
  return place;
}

export function notAFile(shown: string, facts: Stats): Fault {
  const kind = facts.isDirectory()
    ? 'a folder'
    : facts.isSymbolicLink()
      ? 'a link'
      : 'a pipe, socket or device';
  return new Fault('invalid_request', `${shown} is ${kind}; give the path of a regular file.`, {
    path: shown,
  });
}

function outside(path: string): Fault {
  return new Fault(
    'path_outside_worktree',
    `${path} leads out of the worktree; give a path relative to the repository's top folder.`,
    { path },
  );
}

function gitInternal(path: string): Fault {
  return new Fault(
    'path_outside_worktree',
    `${path} is git's own and no file of the worktree; use the git tools instead.`,
    { path },
  );
}

const FILE_FAULTS: Record<string, [FaultCode, string]> = {
  ENOENT: ['file_not_found', 'does not exist; list the files to find its name'],
  ENOTDIR: ['file_not_found', 'goes through something that is no folder'],
  EISDIR: ['invalid_request', 'is a folder; give the path of a file'],
  ELOOP: ['path_outside_worktree', 'goes in circles through links'],
  ENAMETOOLONG: ['invalid_request', 'is too long for this file system; use a shorter name'],
  EACCES: ['forbidden', 'may not be opened by the server; change its permissions'],
  EPERM: ['forbidden', 'may not be changed by the server; change its permissions'],
  EROFS: ['forbidden', 'is on a read-only file system'],
  ENOSPC: ['disk_full', 'could not be written, the disk is full; make room and try again'],
  EDQUOT: ['disk_full', 'could not be written, the disk quota is used up; make room and try again'],
  EFBIG: ['too_large', 'is larger than a file may be here'],
  ENXIO: ['invalid_request', 'is a pipe, socket or device; give the path of a regular file'],
};

/** A file system's error in the runner's words; anything unknown stays as it is. */
export function fileFault(error: unknown, shown: string): unknown {
  const known = FILE_FAULTS[(error as NodeJS.ErrnoException).code ?? ''];
  if (known === undefined) return error;
  return new Fault(known[0], `${shown} ${known[1]}.`, { path: shown }, { cause: error });
}
