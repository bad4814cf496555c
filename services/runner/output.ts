import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { pieceOf } from './file-read.ts';
import { fileFault } from './inside.ts';
import type { WorktreePlaces } from './layout.ts';
import type { FileBytes, ReadBytes } from './runner.ts';

const MAX_RESULT_BYTES = 30_000;
const HEAD_BYTES = 10_000;
/** Leaves room for the note between head and tail. */
const TAIL_BYTES = 19_500;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A cut moves this far at most to fall between lines, or at least between words. */
const MAX_WORD_CHARACTERS = 2_000;

interface CapturedOutput {
  output: string;
  truncated: boolean;
  fullOutputPath: string | null;
}

export interface OutputCapture {
  push(chunk: Uint8Array): void;
  finish(): CapturedOutput;
}

/**
 * Keeps the head and tail of a command's output in memory and, once it is longer than a result may be, all of it
 * (to 64 MiB) in a file. `onOutput` gets text as it comes, as far as it is kept.
 */
export function createCapture(path: string, onOutput?: (chunk: string) => void): OutputCapture {
  const decoder = new TextDecoder();
  const kept = createKept(path);
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let seen = 0;
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk);
      if (seen < MAX_KEPT_BYTES) onOutput?.(decoder.decode(bytes, { stream: true }));
      const fitted = seen <= MAX_RESULT_BYTES;
      seen += bytes.length;
      if (seen > MAX_RESULT_BYTES) {
        if (fitted) kept.write(Buffer.concat([head, tail]));
        kept.write(bytes);
      }
      const room = HEAD_BYTES - head.length;
      if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)]);
      tail = Buffer.concat([tail, bytes.subarray(room)]);
      if (seen > MAX_RESULT_BYTES) tail = Buffer.from(tail.subarray(-TAIL_BYTES));
    },
    finish() {
      if (seen <= MAX_RESULT_BYTES) {
        return { output: Buffer.concat([head, tail]).toString(), truncated: false, fullOutputPath: null };
      }
      const where = kept.close();
      const [begins, ends] = [cutEnd(head), cutStart(tail)];
      const left = seen - Buffer.byteLength(begins) - Buffer.byteLength(ends);
      const note = `\n[… ${left} bytes left out here; ${where.said} …]\n`;
      return { output: begins + note + ends, truncated: true, fullOutputPath: where.path };
    },
  };
}

/** The file of the whole output. A disk that is full ends the keeping, not the command, and is said. */
function createKept(path: string) {
  let file: number | null = null;
  let written = 0;
  let failure: string | null = null;
  return {
    write(chunk: Buffer): void {
      if (failure !== null || written >= MAX_KEPT_BYTES) return;
      try {
        if (file === null) {
          mkdirSync(dirname(path), { recursive: true });
          file = openSync(path, 'wx');
        }
        const part = chunk.subarray(0, MAX_KEPT_BYTES - written);
        for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
        written += part.length;
      } catch (error) {
        failure = (error as NodeJS.ErrnoException).code ?? String(error);
      }
    },
    close(): { path: string | null; said: string } {
      if (file !== null) closeSync(file);
      if (failure !== null) return { path: null, said: `the whole could not be kept: ${failure}` };
      const extent = written >= MAX_KEPT_BYTES ? 'the first 64 MiB are' : 'the whole is';
      return { path, said: `${extent} kept in a file` };
    },
  };
}

/** A piece of an output that was kept, by its `fullOutputPath`. Fault `file_not_found`. */
export async function readOutput(places: WorktreePlaces, i: ReadBytes): Promise<FileBytes> {
  const path = keptPath(places, i.path);
  const file = await open(path).catch((error) => Promise.reject(fileFault(error, i.path)));
  try {
    return await pieceOf(file, (await file.stat()).size, i);
  } finally {
    await file.close();
  }
}

export async function removeOutput(places: WorktreePlaces, path: string): Promise<void> {
  await rm(keptPath(places, path), { force: true });
}

function keptPath({ output }: WorktreePlaces, path: string): string {
  const inside = join(output, basename(path));
  if (inside === path && path.endsWith('.log')) return path;
  throw new Fault('invalid_request', `${path} is no kept output of this worktree.`);
}

/**
 * Without the half of a word at the cut, where words are of ordinary length: of a secret its half is not known for one,
 * and the half of a number is another number.
 */
function cutEnd(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const near = text.slice(-MAX_WORD_CHARACTERS);
  const line = near.lastIndexOf('\n');
  const at = line >= 0 ? line : near.search(/\s\S*$/);
  return at < 0 ? text : text.slice(0, text.length - near.length + at);
}

function cutStart(bytes: Buffer): string {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const text = bytes.subarray(from).toString();
  const near = text.slice(0, MAX_WORD_CHARACTERS);
  const line = near.indexOf('\n');
  const at = line >= 0 ? line : near.search(/\s/);
  return text.slice(at + 1);
}
