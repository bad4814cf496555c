import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ENCODINGS, type Encoding } from './encoding.ts';

export interface WebFile {
  /** Below the folder, with `/` between. */
  name: string;
  mediaType: string;
  /** Its name changes with its content. */
  isImmutable: boolean;
  /** Of its content; null for what is immutable. */
  hash: string | null;
  /** How many bytes it has, by encoding. */
  sizes: ReadonlyMap<Encoding, number>;
}

export type WebFiles = ReadonlyMap<string, WebFile>;

export const INDEX = 'index.html';
const IMMUTABLE_PREFIX = 'assets/';
const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Changes with every build; null when nothing is built. */
export async function buildMark(folder: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(join(folder, INDEX));
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** What is below the folder, links and hidden files left out: nothing else is ever served. */
export async function listWebFiles(folder: string): Promise<WebFiles> {
  const names = await namesIn(folder, '');
  const known = new Set(names);
  const own = names.filter((name) => !/\.(br|gz)$/.test(name) || !known.has(name.replace(/\.(br|gz)$/, '')));
  const files = await Promise.all(own.map((name) => describe(folder, name, known)));
  return new Map(files.flatMap((file) => (file ? [[file.name, file]] : [])));
}

/** Not by the recursion of `readdir`, which goes through links as well. */
async function namesIn(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
  const below = shown.filter((entry) => entry.isDirectory()).map(({ name }) => `${prefix}${name}/`);
  const files = shown.filter((entry) => entry.isFile()).map(({ name }) => prefix + name);
  return files.concat(...(await Promise.all(below.map((inner) => namesIn(folder, inner)))));
}

/** The file's bytes; null when it is gone. What became a link in the meantime is not followed. */
export async function readWebFile(folder: string, name: string, encoding: Encoding): Promise<Buffer | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(join(folder, name + SUFFIXES[encoding]), constants.O_RDONLY | constants.O_NOFOLLOW);
    return await handle.readFile();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  } finally {
    await handle?.close();
  }
}

/** Null when a build that runs just now removed it. */
async function describe(folder: string, name: string, known: ReadonlySet<string>): Promise<WebFile | null> {
  const isImmutable = name.startsWith(IMMUTABLE_PREFIX);
  const content = isImmutable ? null : await readWebFile(folder, name, 'identity');
  if (content === null && !isImmutable) return null;
  const sizes = new Map<Encoding, number>();
  for (const encoding of ENCODINGS) {
    if (!known.has(name + SUFFIXES[encoding])) continue;
    const size = await sizeOf(join(folder, name + SUFFIXES[encoding]));
    if (size !== null) sizes.set(encoding, size);
  }
  if (!sizes.has('identity')) return null;
  const hash = content && createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const mediaType = MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
  return { name, mediaType, isImmutable, hash, sizes };
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String((error as { code?: unknown }).code));
}
