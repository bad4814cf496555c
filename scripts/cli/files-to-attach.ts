import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../services/spaces/attachments/limits.ts';
import { usageError } from './command-error.ts';

export interface FileToAttach {
  name: string;
  mediaType: string;
  base64: string;
}

/** Reads local files that go along with a message. @throws CommandError for one that cannot go, before anything is sent */
export async function filesToAttach(paths: readonly string[], cwd: string): Promise<FileToAttach[]> {
  if (paths.length > MAX_ATTACHMENTS)
    throw usageError(`--attach takes ${MAX_ATTACHMENTS} files at most; these are ${paths.length}.`);
  const files = [];
  for (const path of paths) files.push(await fileToAttach(resolve(cwd, path)));
  return files;
}

async function fileToAttach(path: string): Promise<FileToAttach> {
  const shown = JSON.stringify(path);
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) throw usageError(`--attach: there is no file ${shown}.`);
  if (facts.size > MAX_ATTACHMENT_BYTES) {
    throw usageError(
      `--attach: ${shown} has ${facts.size} bytes, and ${MAX_ATTACHMENT_BYTES} is the most. Attach a smaller file, or put it into the repository.`,
    );
  }
  const bytes = await readFile(path).catch((error: Error) => {
    throw usageError(`--attach: ${shown} cannot be read: ${error.message}.`);
  });
  return { name: basename(path), mediaType: Bun.file(path).type, base64: bytes.toString('base64') };
}
