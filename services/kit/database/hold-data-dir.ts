import { Database as LockFile } from 'bun:sqlite';
import { join } from 'node:path';
import { Fault } from '../fault.ts';
import { databaseFault } from './database-fault.ts';

/** A predecessor on its way down is waited for as long. */
const PATIENCE_MS = 2_000;
const POLL_MS = 50;

/** A file that nothing refers to is closed, and its lock is gone with it. */
const held = new Set<LockFile>();

/**
 * Keeps any other process from doing the same parts' work on a data directory: each start takes over what is unfinished,
 * so two servers would stop each other's work. The system itself lets go when the process ends, in whatever way.
 * @returns what lets go of it
 * @throws Fault data_in_use, or a database's fault when the folder cannot be used
 */
export async function holdDataDir(
  dataDir: string,
  parts: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<() => void> {
  const giveUpAt = Date.now() + patienceMs;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const letGo of releases.splice(0)) letGo();
  };
  try {
    // In one order for all, or two starts could each hold what the other waits for.
    for (const part of parts.toSorted()) releases.push(await hold(dataDir, part, giveUpAt));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

async function hold(dataDir: string, part: string, giveUpAt: number): Promise<() => void> {
  const path = join(dataDir, `${part}.lock`);
  for (;;) {
    const letGo = tryHold(path);
    if (letGo) return letGo;
    if (Date.now() > giveUpAt) {
      throw new Fault(
        'data_in_use',
        `Another server (${part}) already works on the data directory ${dataDir}. Use that one, end it, or choose another directory with --data or CONTROL_CENTER_DATA.`,
        { dataDir, part },
      );
    }
    await Bun.sleep(POLL_MS);
  }
}

/** Null: another holds it. */
function tryHold(path: string): (() => void) | null {
  let file: LockFile | null = null;
  try {
    file = new LockFile(path);
    file.run('BEGIN EXCLUSIVE');
  } catch (error) {
    file?.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return null;
    throw databaseFault(error, path);
  }
  const lock = file;
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.run('ROLLBACK');
    lock.close();
  };
}
