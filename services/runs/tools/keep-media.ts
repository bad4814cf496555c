import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaType } from '../../kit/media-type.ts';
import type { MediaRef } from '../harness/journal.ts';
import { putFile } from './run-folder.ts';

/** An image or a document that a tool gives the model to see. */
export interface Media {
  mediaType: MediaType;
  bytes: Uint8Array;
}

const EXTENSIONS: Record<MediaType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** Keeps it under its digest: the same bytes are one file, whoever gives them again. */
export async function keepMedia(runFolder: string, { mediaType, bytes }: Media): Promise<MediaRef> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const file = `${digest}.${EXTENSIONS[mediaType]}`;
  const path = join(runFolder, file);
  const known = await stat(path).catch(() => null);
  if (known === null) await putFile(path, bytes);
  return { mediaType, file, bytes: bytes.length };
}

/** What `keepMedia` kept, or null when the file is gone. */
export async function readKeptMedia(runFolder: string, file: string): Promise<Uint8Array | null> {
  if (!/^[0-9a-f]{64}\.(png|jpg|gif|webp|pdf)$/.test(file)) return null;
  try {
    return await readFile(join(runFolder, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
