import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where the files of one run are: whole outputs, images and documents, what it knows of the repository's files. */
export function runFolder(dataDir: string, workspaceId: string, runId: string): string {
  return join(dataDir, 'workspaces', workspaceId, 'runs', runId);
}

/** Puts a file in place in one step, so that a crash leaves all of it or nothing. */
export async function putFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.part`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}
