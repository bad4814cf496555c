import type { Role } from '../programs/program.ts';
import { literal, literalText, type Word } from '../words/word.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import type { Call } from './call.ts';
import { readCode } from './code.ts';
import type { Compiled } from './option-table.ts';
import { readAddedTo } from './read-assignments.ts';

/** Adds what a command does by what the tables say of its program. */
export function readProgram(call: Call, table: Compiled): void {
  if (!isHelp(call, table.reading.helpBehind ?? 0)) readTable(call, table);
}

function isHelp({ args }: Call, behind: number): boolean {
  const last = literalText(args.at(-1));
  if (args.length > behind + 1 || (last !== '--help' && (last !== '--version' || args.length > 1)))
    return false;
  return args
    .slice(0, -1)
    .every(({ kind, text }) => kind === 'literal' && /^[a-z-]+$/.test(text) && !text.startsWith('-'));
}

/** As `readProgram`, for the arguments of a part of a program. */
export function readTable(call: Call, table: Compiled): void {
  const { reading, commands } = table;
  const given = parseArguments(call.args, commands && !reading.stops ? stopping(table) : table);
  call.add(...table.does);
  readOptions(call, given, table);
  if (commands) readCommand(call, given, table);
  else readOperands(call, given.operands, table);
  reading.read?.(call, given);
}

/** Options of the program itself end where its subcommand begins. */
const stopping = (table: Compiled): Compiled => ({ ...table, reading: { ...table.reading, stops: true } });

function readOptions(call: Call, given: Arguments, { options, reading }: Compiled): void {
  for (const { option, value } of given.options) {
    if (option === null && reading.strict) call.anything('has an option that is not known');
    if (option === null) continue;
    call.add(...option.effects);
    if (value && option.role) applyRole(call, option.role, value);
  }
  if (given.command.length > 0) call.command(given.command);
  if (given.uncertain) addWorst(call, given.uncertain, options, reading.strict === true);
}

/** A word that is only known at run time may be any of the options. */
function addWorst(call: Call, word: Word, options: Compiled['options'], strict: boolean): void {
  if (strict) {
    call.anything('has an option that is only known at run time');
    return;
  }
  for (const { role, effects } of options) {
    call.add(...effects);
    if (role) applyRole(call, role, { ...word, kind: 'runtime', text: '' });
  }
}

function readOperands(call: Call, words: readonly Word[], { operands, reading }: Compiled): void {
  for (const [i, word] of words.entries()) {
    const isLast = i > 0 && i === words.length - 1;
    const role = (isLast ? reading.last : undefined) ?? operands[Math.min(i, operands.length - 1)]!;
    if (role === 'command') {
      call.command(words.slice(i));
      return;
    }
    applyRole(call, role, word);
  }
}

function readCommand(call: Call, given: Arguments, table: Compiled): void {
  const [word, ...args] = given.operands;
  const name = literalText(word);
  if (word && name === null) {
    call.anything('names its subcommand only at run time');
    return;
  }
  const found = name === null ? table.bare : table.commands?.get(name);
  if (found) readTable(call.with({ args }), found);
  else if (name !== null && table.otherwise) readTable(call.with({ args: given.operands }), table.otherwise);
  else if (name !== null) call.anything('has a subcommand that is not known');
}

type Rule = (call: Call, word: Word) => void;
const RULES: Record<Role, Rule> = {
  text: () => undefined,
  look: (call, word) => call.look(word, false),
  read: (call, word) => call.look(word, true),
  write: (call, word) => call.write(word),
  out: (call, word) => {
    if (literalText(word) !== '-') call.write(word);
  },
  delete: (call, word) => call.remove(word),
  move: (call, word) => {
    call.look(word, true);
    call.remove(word);
  },
  url: (call, word) => readAddress(call, word),
  launch: readLaunched,
  shell: (call, word) => call.with({ posix: true }).shell(word),
  starter: (call, word) => {
    const text = literalText(word);
    if (text === null) call.shell(word);
    else readAddedTo(call, text);
  },
  command: (call, word) => call.command([word]),
  code: (call, word) => readCode(call, literalText(word)),
  anything: (call) => call.anything('has an argument that may run something'),
};

/** A file of code. What a pipe or a descriptor holds may be anything. */
function readLaunched(call: Call, word: Word): void {
  call.add('process_launch');
  const isInput = literalText(word) === '-' && /text|runtime/.test(call.facts.input.kind);
  const isPipe = word.pipe || /^\/(dev|proc)\/(?!null$)/.test(word.text);
  if (isPipe || isInput) call.anything('runs what a pipe holds');
  else call.look(word, false);
}

function applyRole(call: Call, role: Role, word: Word): void {
  RULES[role](call, word);
}

function readAddress(call: Call, word: Word): void {
  const file = /^file:\/*/i.exec(word.text)?.[0];
  if (file !== undefined) call.look(literal(`/${word.text.slice(file.length)}`), true);
}
