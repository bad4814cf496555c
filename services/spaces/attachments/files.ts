import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';

/** The files of one workspace's attachments, each under its id in `<workspace>/attachments/`. */
export class AttachmentFiles {
  readonly #root: string;

  /** @param workspaceDirectory absolute */
  constructor(workspaceDirectory: string) {
    this.#root = join(workspaceDirectory, 'attachments');
  }

  /** When this returns they are on the disk, with their name. */
  async write(id: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await writeFileAtomically(join(this.#root, id), bytes, 0o600);
    const directory = await open(this.#root, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  /** Null when they are gone. */
  async read(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return orNull(readFile(join(this.#root, id)) as Promise<Uint8Array<ArrayBuffer>>);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#root, name), { force: true });
  }

  /** Names of all files there, those of cut-off writes among them. */
  async names(): Promise<string[]> {
    return (await orNull(readdir(this.#root))) ?? [];
  }

  /** When the file was written, in epoch milliseconds; null when it is gone. */
  async writtenAt(name: string): Promise<number | null> {
    return (await orNull(stat(join(this.#root, name))))?.mtimeMs ?? null;
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}
