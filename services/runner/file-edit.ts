import { Fault } from '../kit/fault.ts';
import type { EditFile } from './runner.ts';

const MAX_SHOWN = 5;

/** The text with the edit made. Faults `no_match`, `ambiguous_match` (unless `replaceAll`), `invalid_request`. */
export function applyEdit(text: string, i: EditFile): { text: string; replacements: number } {
  if (i.oldText === '') {
    throw new Fault('invalid_request', 'oldText is empty; to make or replace a whole file, write it.');
  }
  if (i.oldText === i.newText) throw new Fault('invalid_request', 'oldText and newText are the same.');
  const parts = text.split(i.oldText);
  const replacements = parts.length - 1;
  if (replacements === 0) throw noMatch(text, i);
  if (replacements > 1 && !i.replaceAll) throw ambiguous(parts, i);
  return { text: parts.join(i.newText), replacements };
}

function ambiguous(parts: string[], i: EditFile): Fault {
  const lines: number[] = [];
  let line = 1;
  for (const part of parts.slice(0, -1)) {
    line += countLines(part);
    lines.push(line);
    line += countLines(i.oldText);
  }
  const shown = lines.slice(0, MAX_SHOWN).join(', ') + (lines.length > MAX_SHOWN ? ', …' : '');
  return new Fault(
    'ambiguous_match',
    `oldText is in ${i.path} ${lines.length} times (lines ${shown}); add lines around it, or set replaceAll.`,
    { path: i.path, lines: lines.slice(0, 100) },
  );
}

function noMatch(text: string, i: EditFile): Fault {
  const near = nearMiss(text, i.oldText);
  return new Fault('no_match', `oldText is not in ${i.path}. ${near.hint}`, {
    path: i.path,
    line: near.line,
  });
}

function nearMiss(text: string, oldText: string): { hint: string; line: number | null } {
  const unix = (value: string) => value.replace(/\r\n/g, '\n');
  const lineEnds = unix(text).indexOf(unix(oldText));
  if (lineEnds >= 0) {
    const line = 1 + countLines(unix(text).slice(0, lineEnds));
    const [has, given] = text.includes('\r\n') ? ['CR LF', 'LF'] : ['LF', 'CR LF'];
    return {
      hint: `It would match at line ${line}, but the file's lines end in ${has}, not ${given}.`,
      line,
    };
  }
  const lines = unix(text).split('\n');
  const wanted = unix(oldText).split('\n');
  const at = matchLoosely(lines, wanted);
  if (at !== null) {
    const actual = lines.slice(at, at + Math.min(wanted.length, MAX_SHOWN)).join('\n');
    return {
      hint: `At line ${at + 1} it differs only in white space; the file has:\n${actual}`,
      line: at + 1,
    };
  }
  return firstLineMiss(lines, wanted);
}

function firstLineMiss(lines: string[], wanted: string[]): { hint: string; line: number | null } {
  const first = wanted.find((line) => line.trim() !== '')?.trim() ?? '';
  const at = first === '' ? -1 : lines.findIndex((line) => line.includes(first));
  if (at < 0) return { hint: 'Not even its first line is there; read the file again.', line: null };
  const actual = lines.slice(at, at + Math.min(wanted.length, MAX_SHOWN)).join('\n');
  return {
    hint: `Its first line is at line ${at + 1}, but goes on differently; the file has:\n${actual}`,
    line: at + 1,
  };
}

function matchLoosely(lines: string[], wanted: string[]): number | null {
  const plain = (line: string) => line.replace(/\s+/g, ' ').trim();
  const [loose, target] = [lines.map(plain), wanted.map(plain)];
  if (target.every((line) => line === '')) return null;
  for (let at = 0; at + target.length <= loose.length; at += 1) {
    if (target.every((line, offset) => loose[at + offset] === line)) return at;
  }
  return null;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
