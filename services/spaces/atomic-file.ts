import { open, rename, rm } from 'node:fs/promises';

/** Writes the content durably at `path`, or leaves what was there. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  const staged = `${path}.${crypto.randomUUID()}.staged`;
  try {
    await writeDurably(staged, content, mode);
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
}

/** Creates a new file, on the disk when this returns; fails if there is one. */
export async function writeDurably(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
