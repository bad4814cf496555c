import { Fault } from '../kit/fault.ts';
import { openToRead } from './inside.ts';
import type { FileText, ReadFile } from './runner.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_CHARACTERS = 100_000;
const DEFAULT_LINES = 2_000;

/** The whole text of a file. Faults `too_large` over 16 MiB, `invalid_request` for what is not UTF-8 text. */
export async function readText(worktree: string, path: string): Promise<{ text: string; bytes: number }> {
  const { file, facts } = await openToRead(worktree, path);
  try {
    if (facts.size > MAX_FILE_BYTES) throw tooLarge(path, facts.size);
    const content = await file.readFile();
    return { text: decode(content, path), bytes: content.length };
  } finally {
    await file.close();
  }
}

/** Lines `startLine` to `startLine + lines - 1`, at most 100,000 characters of them. */
export async function readLines(worktree: string, i: ReadFile): Promise<FileText> {
  const { startLine = 1, lines = DEFAULT_LINES } = i;
  if (!Number.isInteger(startLine) || !Number.isInteger(lines) || startLine < 1 || lines < 1) {
    throw new Fault('invalid_request', 'startLine and lines are whole numbers from 1.');
  }
  const { text, bytes } = await readText(worktree, i.path);
  const all = splitLines(text);
  if (startLine > Math.max(all.length, 1)) {
    throw new Fault(
      'invalid_request',
      `${i.path} has ${all.length} lines; line ${startLine} is past its end.`,
    );
  }
  const wanted = all.slice(startLine - 1, startLine - 1 + lines).join('');
  const shown = cutCharacters(wanted, MAX_TEXT_CHARACTERS);
  return { text: shown, totalLines: all.length, truncated: shown.length < text.length, bytes };
}

/** Lines with their ends, so that joined they are the text again. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Never in the middle of a surrogate pair. */
function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
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
