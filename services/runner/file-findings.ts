import { Fault } from '../kit/fault.ts';
import type { SearchedFile, SearchFiles, SearchLine, SearchResult } from './runner.ts';

const SEARCH_LIMIT = 200;
const PER_FILE = 50;
const MOST = 10_000;
const MOST_CONTEXT = 20;
const MAX_LINE_CHARACTERS = 500;
/** Of all lines with their paths. */
const MAX_BYTES = 28_000;

type Cut = SearchResult['cut'];

interface RipgrepText {
  text?: string;
  bytes?: string;
}

interface RipgrepEvent {
  type: string;
  data: {
    path?: RipgrepText;
    lines?: RipgrepText;
    line_number?: number | null;
    submatches?: { start: number }[];
    stats?: { matched_lines: number };
  };
}

export interface Findings {
  /** What ripgrep has to be told. */
  options: string[];
  /** Takes one line of its JSON; false when nothing more is wanted. */
  take(json: string): boolean;
  result(ended: Cut): SearchResult;
}

/** Gathers what a search finds, within its limits. Fault `invalid_request` for limits that are none. */
export function createFindings(i: SearchFiles, selected: (path: string) => boolean): Findings {
  const limit = checkCount('limit', i.limit ?? SEARCH_LIMIT);
  const perFile = checkCount('perFile', i.perFile ?? PER_FILE);
  const context = checkCount('context', i.context ?? 0, { least: 0, most: MOST_CONTEXT });
  return i.filesOnly ? filesFound(limit, selected) : linesFound(limit, perFile, context, selected);
}

function filesFound(limit: number, selected: (path: string) => boolean): Findings {
  const files: SearchedFile[] = [];
  return {
    options: [],
    take(json) {
      if (!json.startsWith('{"type":"end"')) return true;
      const { data } = JSON.parse(json) as RipgrepEvent;
      const [path, matches] = [pathOf(data), data.stats?.matched_lines ?? 0];
      if (matches > 0 && selected(path)) files.push({ path, matches, hasMore: false });
      return files.length <= limit;
    },
    result: (ended) => ({
      ...{ lines: [], files: files.slice(0, limit) },
      cut: files.length > limit ? 'limit' : ended,
    }),
  };
}

function linesFound(
  limit: number,
  perFile: number,
  context: number,
  selected: (path: string) => boolean,
): Findings {
  const lines: SearchLine[] = [];
  const files = new Map<string, SearchedFile>();
  let [total, bytes] = [0, 0];
  let cut: Cut = null;
  const keep = (line: SearchLine): boolean => {
    const file = files.get(line.path) ?? { path: line.path, matches: 0, hasMore: false };
    // One match more than wanted is asked for, which says whether there are more.
    file.hasMore ||= !line.isContext && file.matches === perFile;
    if (file.hasMore) return true;
    bytes += Buffer.byteLength(line.path) + Buffer.byteLength(line.text);
    if (bytes > MAX_BYTES) cut = 'bytes';
    else if (!line.isContext && total === limit) cut = 'limit';
    if (cut !== null) return false;
    lines.push(line);
    files.set(line.path, file);
    if (line.isContext) return true;
    file.matches += 1;
    total += 1;
    return true;
  };
  return {
    options: [`--max-count=${perFile + 1}`, `--context=${context}`],
    take(json) {
      const line = toLine(json);
      return line === null || !selected(line.path) || keep(line);
    },
    result: (ended) => ({
      ...{ lines: withoutStray(lines, context), files: [...files.values()].filter(counts) },
      cut: cut ?? ended,
    }),
  };
}

function counts({ matches }: SearchedFile): boolean {
  return matches > 0;
}

/** Lines around a match that was not kept have nothing to stand around. */
function withoutStray(lines: readonly SearchLine[], context: number): SearchLine[] {
  const matches = Map.groupBy(
    lines.filter(({ isContext }) => !isContext),
    ({ path }) => path,
  );
  const isNear = ({ path, line }: SearchLine) =>
    matches.get(path)?.some((match) => Math.abs(match.line - line) <= context) ?? false;
  return lines.filter((line) => !line.isContext || isNear(line));
}

function toLine(json: string): SearchLine | null {
  const isContext = json.startsWith('{"type":"context"');
  if (!isContext && !json.startsWith('{"type":"match"')) return null;
  const { data } = JSON.parse(json) as RipgrepEvent;
  const text = plain(data.lines).replace(/\r?\n$/, '');
  const shown = around(text, data.submatches?.[0]?.start ?? 0);
  return { path: pathOf(data), line: data.line_number ?? 0, text: shown, isContext };
}

/** Of a long line the part with the match, which is at `startByte`. */
function around(text: string, startByte: number): string {
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  const match = Buffer.from(text).subarray(0, startByte).toString().length;
  const from = match < MAX_LINE_CHARACTERS / 2 ? 0 : match - MAX_LINE_CHARACTERS / 4;
  const part = text.slice(from, from + MAX_LINE_CHARACTERS).toWellFormed();
  const isEnd = from + MAX_LINE_CHARACTERS >= text.length;
  return `${from > 0 ? '…' : ''}${part}${isEnd ? '' : '…'}`;
}

function pathOf(data: RipgrepEvent['data']): string {
  return cleanPath(plain(data.path));
}

function plain(value?: RipgrepText): string {
  return value?.text ?? Buffer.from(value?.bytes ?? '', 'base64').toString();
}

export function cleanPath(path: string): string {
  return path.replace(/^\.\//, '');
}

/** Fault `invalid_request` for what is not a whole number within the bounds. */
export function checkCount(name: string, count: number, { least = 1, most = MOST } = {}): number {
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new Fault('invalid_request', `${name} is a whole number from ${least} to ${most}, not ${count}.`);
}
