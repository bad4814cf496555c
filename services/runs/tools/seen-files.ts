import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { putFile } from './run-folder.ts';

/** Which content of each file a run knows, by the version that the runner gave with it. */
export interface SeenFiles {
  /** Null when the run has never read nor written the file. */
  versionOf(repository: string, path: string): Promise<string | null>;
  note(repository: string, path: string, version: string): Promise<void>;
}

/** Kept in the run's folder, so that a restart does not make it forget what has changed. */
export function createSeenFiles(runFolder: string): SeenFiles {
  const place = (repository: string, path: string) => {
    const name = createHash('sha256')
      .update(`${repository}\0${posix.normalize(path)}`)
      .digest('hex');
    return join(runFolder, 'seen', name);
  };
  return {
    async versionOf(repository, path) {
      try {
        return await readFile(place(repository, path), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    note: (repository, path, version) => putFile(place(repository, path), version),
  };
}
