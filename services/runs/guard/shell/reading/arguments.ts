import type { Option } from '../programs/program.ts';
import { certainStart, dropStart, type Word } from '../words/word.ts';
import type { Compiled } from './option-table.ts';

interface Given {
  /** As it was written, without its dashes. */
  name: string;
  /** What the table says of it; null where it is not listed. */
  option: Option | null;
  /** Null where it takes none, or none is given. */
  value: Word | null;
}

/** The words of a command, sorted into options and operands. */
export interface Arguments {
  options: Given[];
  operands: Word[];
  /** What stands behind an option that takes all the rest as a command. */
  command: Word[];
  /** A word that may turn out to be any option, or several; null if there is none. */
  uncertain: Word | null;
}

export function has({ options }: Arguments, ...names: string[]): boolean {
  return options.some(
    ({ name, option }) => names.includes(name) || option?.names.some((n) => names.includes(n)),
  );
}

export function optionValue({ options }: Arguments, ...names: string[]): Word | null {
  return options.find(({ option }) => option?.names.some((name) => names.includes(name)))?.value ?? null;
}

/** Sorts words as getopt does: options may be joined, abbreviated, and have their value attached or behind them. */
export function parseArguments(words: readonly Word[], table: Compiled): Arguments {
  const given: Arguments = { options: [], operands: [], command: [], uncertain: null };
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift()!;
    const start = certainStart(word);
    if (word.kind === 'literal' && start === '--') {
      given.operands.push(...rest);
      break;
    }
    const isOperand = table.reading.wordsAreOperands && !word.many;
    if (start === '' && word.kind !== 'literal' && !isOperand) given.uncertain ??= word;
    if (start.length < 2 || !start.startsWith('-')) {
      // A lone dash whose rest is not known is an option that is not known.
      if (start === '-' && word.kind !== 'literal') given.uncertain ??= word;
      given.operands.push(word);
      if (!table.reading.stops) continue;
      given.operands.push(...rest);
      break;
    }
    if (start.startsWith('--') || table.reading.singleDash) readLong(word, start, rest, table, given);
    else readShort(word, start, rest, table, given);
    // What a pattern finds begins as the pattern does, and so is the same option.
    const isSame = word.kind === 'glob' && start.startsWith('--') && start.includes('=');
    if (word.kind !== 'literal' && word.many && !isSame) given.uncertain ??= word;
  }
  return given;
}

function readLong(word: Word, start: string, rest: Word[], table: Compiled, given: Arguments): void {
  const dashes = start.startsWith('--') ? 2 : 1;
  const equals = start.indexOf('=');
  const name = start.slice(dashes, equals < 0 ? undefined : equals);
  // What follows the known part may still belong to the name.
  if (equals < 0 && word.kind !== 'literal') given.uncertain ??= word;
  const option = findLong(name, table);
  const own = equals < 0 ? null : dropStart(word, equals + 1);
  if (takeCommand(option, own, rest, given)) return;
  if (own) given.options.push({ name, option, value: own });
  else given.options.push({ name, option, value: takesNext(option) ? (rest.shift() ?? null) : null });
}

function takeCommand(option: Option | null, own: Word | null, rest: Word[], given: Arguments): boolean {
  if (option?.role !== 'command') return false;
  given.command = [...(own ? [own] : []), ...rest.splice(0)];
  given.options.push({ name: option.names[0]!, option, value: null });
  return true;
}

const takesNext = (option: Option | null): boolean =>
  option !== null && option.role !== null && !option.attached;

/** By its whole name, or by a beginning of it; of several, the one that does most. */
function findLong(name: string, { options }: Compiled): Option | null {
  const exact = options.find(({ names }) => names.includes(name));
  if (exact || name.length < 2) return exact ?? null;
  const begun = options.filter(({ names }) =>
    names.some((known) => known.length > 1 && known.startsWith(name)),
  );
  return begun.toSorted((a, b) => weight(b) - weight(a))[0] ?? null;
}

const HARMLESS = ['text', 'look'];

function weight({ role, effects }: Option): number {
  return (role === null || HARMLESS.includes(role) ? 0 : 2) + (effects.length > 0 ? 1 : 0);
}

function readShort(word: Word, start: string, rest: Word[], table: Compiled, given: Arguments): void {
  for (let i = 1; i < start.length; i++) {
    const name = start.charAt(i);
    const option = table.options.find(({ names }) => names.includes(name)) ?? null;
    if (option === null || option.role === null) {
      given.options.push({ name, option, value: null });
      continue;
    }
    const attached = i + 1 < start.length || word.kind !== 'literal';
    const own = attached ? dropStart(word, start.charAt(i + 1) === '=' ? i + 2 : i + 1) : null;
    if (takeCommand(option, own, rest, given)) return;
    const value = own ?? (option.attached ? null : (rest.shift() ?? null));
    given.options.push({ name, option, value });
    return;
  }
  if (word.kind !== 'literal') given.uncertain ??= word;
}
