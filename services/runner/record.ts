import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import type { MergeConflict, RepositoryRef } from './runner.ts';

/**
 * What is known of one worktree. It is written before anything is made (`making`) and before anything is removed
 * (`closing`), so that whatever a crash leaves is recognised and completed. `head` is the branch's first commit.
 */
export interface WorktreeRecord {
  state: 'making' | 'open' | 'closing';
  source: RepositoryRef;
  commonDir: string;
  /** The worktree's own folder in the source's git directory; empty until it is made. */
  adminDir: string;
  branch: string;
  base: string;
  head: string;
  merged: string[];
  conflicts: MergeConflict[];
}

export async function readRecord<T>(path: string): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new Fault('internal', `${path} is damaged; restore it or move it away.`, {}, { cause: error });
  }
}

/** Whole or not at all, and on the disk when it returns. */
export async function writeRecord(path: string, record: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(record, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const folder = await open(join(path, '..'), 'r');
  await folder.sync().finally(() => folder.close());
}
