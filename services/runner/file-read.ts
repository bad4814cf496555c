import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '../kit/fault.ts';
import { openToRead } from './inside.ts';
import type { FileBytes, FileText, ReadBytes, ReadFile } from './runner.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_CHARACTERS = 100_000;
const DEFAULT_LINES = 2_000;

/** SHA-256 of a file's bytes, in hex: the same for the same content, whenever it was written. */
export function versionOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The whole text of a file. Faults `too_large` over 16 MiB, `invalid_request` for what is not UTF-8 text. */
export async function readText(
  worktree: string,
  path: string,
): Promise<{ text: string; bytes: number; version: string }> {
  const { file, facts } = await openToRead(worktree, path);
  try {
    if (facts.size > MAX_FILE_BYTES) throw tooLarge(path, facts.size);
    const content = await file.readFile();
    return { text: decode(content, path), bytes: content.length, version: versionOf(content) };
  } finally {
    await file.close();
  }
}

/** Lines `startLine` to `startLine + lines - 1`, at most `characters` of them. */
export async function readLines(worktree: string, i: ReadFile): Promise<FileText> {
  const { startLine = 1, lines = DEFAULT_LINES, startColumn = 1, characters = MAX_TEXT_CHARACTERS } = i;
  if (![startLine, lines, startColumn, characters].every((n) => Number.isInteger(n) && n >= 1)) {
    throw new Fault(
      'invalid_request',
      'startLine, startColumn, lines and characters are whole numbers from 1.',
    );
  }
  const { text, bytes, version } = await readText(worktree, i.path);
  const { wanted, totalLines } = linesOf(text, startLine, lines);
  if (startLine > Math.max(totalLines, 1)) {
    throw new Fault(
      'invalid_request',
      `${i.path} has ${totalLines} lines; line ${startLine} is past its end.`,
    );
  }
  const before = checkColumn(i.path, wanted[0] ?? '', startLine, startColumn);
  const shown = fitLines([(wanted[0] ?? '').slice(before), ...wanted.slice(1)], characters);
  const endLine = totalLines === 0 ? 0 : startLine + shown.count - 1;
  return {
    ...{ text: shown.text, startLine, endLine, totalLines, bytes, version },
    nextColumn: shown.cutAt === null ? null : shown.cutAt + (shown.count === 1 ? before : 0) + 1,
    truncated: shown.text.length < text.length,
  };
}

/** How many characters of the first line are left out. */
function checkColumn(path: string, line: string, startLine: number, startColumn: number): number {
  if (startColumn === 1 || startColumn <= line.length) return startColumn - 1;
  const message = `Line ${startLine} of ${path} has ${line.length} characters; column ${startColumn} is past its end.`;
  throw new Fault('invalid_request', message);
}

/** Whole lines as long as they fit; of a first line that does not fit, its beginning. `cutAt` is where that was cut. */
function fitLines(lines: string[], most: number): { text: string; count: number; cutAt: number | null } {
  let text = lines[0] ?? '';
  if (text.length > most) {
    const cut = cutCharacters(text, most);
    return { text: cut, count: 1, cutAt: cut.length };
  }
  let count = 1;
  for (; count < lines.length; count += 1) {
    const line = lines[count] ?? '';
    if (text.length + line.length > most) break;
    text += line;
  }
  return { text, count, cutAt: null };
}

/** At most `bytes` of a file from `offset` on, as they are. */
export async function readBytes(worktree: string, i: ReadBytes): Promise<FileBytes> {
  const { file, facts } = await openToRead(worktree, i.path);
  try {
    return await pieceOf(file, facts.size, i);
  } finally {
    await file.close();
  }
}

/** Fault `invalid_request` for a piece that is no piece, or is larger than 16 MiB. */
export async function pieceOf(
  file: FileHandle,
  totalBytes: number,
  { offset, bytes }: Omit<ReadBytes, 'path'>,
): Promise<FileBytes> {
  if (![offset, bytes].every(Number.isInteger) || offset < 0 || bytes < 1 || bytes > MAX_FILE_BYTES) {
    throw new Fault('invalid_request', `offset is from 0, bytes from 1 to ${MAX_FILE_BYTES}.`);
  }
  const piece = Buffer.alloc(Math.max(0, Math.min(bytes, totalBytes - offset)));
  let filled = 0;
  while (filled < piece.length) {
    const { bytesRead } = await file.read(piece, filled, piece.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { data: piece.subarray(0, filled).toString('base64'), totalBytes };
}

/** The wanted lines with their ends, so that joined they are the text again. A file can have a line for each byte. */
function linesOf(text: string, startLine: number, lines: number): { wanted: string[]; totalLines: number } {
  const wanted: string[] = [];
  let totalLines = 0;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline + 1;
    totalLines += 1;
    if (totalLines >= startLine && totalLines < startLine + lines) wanted.push(text.slice(at, end));
    at = end;
  }
  return { wanted, totalLines };
}

/** Never in the middle of a surrogate pair. */
function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  // One pair is shown whole even where there is room for its half alone, so that reading on comes to an end.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? Math.max(most - 1, 2) : most);
}

function decode(content: Buffer, path: string): string {
  try {
    if (!content.includes(0))
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new Fault(
    'invalid_request',
    `${path} is not UTF-8 text (${content.length} bytes); look at it with a command such as \`file\` or \`xxd\`.`,
    { path },
  );
}

function tooLarge(path: string, bytes: number): Fault {
  return new Fault(
    'too_large',
    `${path} has ${bytes} bytes, more than ${MAX_FILE_BYTES}; search it, or read a part with a command such as \`sed -n\`.`,
    { path, bytes },
  );
}
