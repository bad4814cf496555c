import { Fault } from '../kit/fault.ts';
import { explainMiss } from './file-edit-miss.ts';
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
  const { hint, line } = explainMiss(text, i);
  return new Fault('no_match', `oldText is not in ${i.path}. ${hint}`, { path: i.path, line });
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
