import { createReadStream } from 'node:fs';

/** Of one answer to whoever reads on. */
const PAGE_CHARACTERS = 24_000;
const NEWLINE = 10;

export interface PageRequest {
  startLine: number;
  lines: number;
  startColumn: number;
}

/** `text` is lines `startLine` to `endLine`; where the last is too long for the page, `nextColumn` is where it goes on. */
export interface OutputPage {
  text: string;
  endLine: number;
  nextColumn: number | null;
  totalLines: number;
}

/** One page of a kept text file, which is read through and never held whole. */
export function readPage(path: string, request: PageRequest): Promise<OutputPage> {
  return pageOf(createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>, request);
}

/** One page of a text in UTF-8 that comes in pieces. Lines and columns count from 1. */
export async function pageOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  request: PageRequest,
): Promise<OutputPage> {
  const page = createPage(request);
  const decoder = new TextDecoder();
  let line = 1;
  let endsInLine = false;
  for await (const chunk of pieces) {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      if (page.wants(line)) page.add(line, decoder.decode(chunk.subarray(at, end), { stream: newline < 0 }));
      endsInLine = newline < 0;
      if (newline >= 0) line += 1;
      at = end;
    }
  }
  return page.finish(endsInLine ? line : line - 1);
}

/** Where in the text a page stands, and how to read on. */
export function extentOf({ endLine, nextColumn, totalLines }: OutputPage, startLine: number): string {
  if (nextColumn !== null)
    return `(line ${endLine} of ${totalLines} goes on; read on with startLine ${endLine}, startColumn ${nextColumn})`;
  const more = endLine < totalLines ? `; read on with startLine ${endLine + 1}` : ', the last one';
  return `(lines ${startLine}–${endLine} of ${totalLines}${more})`;
}

function createPage({ startLine, lines, startColumn }: PageRequest) {
  let text = '';
  let endLine = startLine - 1;
  let nextColumn: number | null = null;
  let [current, isFull] = ['', false];

  /** A line that is whole, or the end of the file's last one. */
  function close(line: number): void {
    const from = line === startLine ? startColumn - 1 : 0;
    const rest = current.slice(from);
    current = '';
    const room = PAGE_CHARACTERS - text.length;
    if (rest.length > room && text !== '') {
      isFull = true;
      return;
    }
    const shown = rest.slice(0, room);
    if (rest.length > room) [nextColumn, isFull] = [from + shown.length + 1, true];
    text += shown.toWellFormed();
    endLine = line;
  }

  return {
    wants: (line: number) => !isFull && line >= startLine && line < startLine + lines,
    add(line: number, part: string): void {
      current += part;
      if (part.endsWith('\n')) close(line);
    },
    finish(totalLines: number): OutputPage {
      if (current !== '' && !isFull) close(totalLines);
      return { text, endLine, nextColumn, totalLines };
    },
  };
}
