import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { certainStart, literal, literalText, type Word } from '../words/word.ts';
import { runFile, runInput } from './builtins-running.ts';
import type { Program } from './program.ts';

const OWN_OPTIONS = { operands: 'text', stops: true } as const;

/** Shells: a line behind `-c`, a script, or commands in their input. */
export const SHELLS: readonly Program[] = [
  {
    names: 'bash sh dash ash ksh mksh pdksh rbash yash posh',
    ...OWN_OPTIONS,
    read: (call) => readShell(call.with({ posix: !/^r?bash/.test(call.name) }), false),
  },
  { names: 'zsh fish csh tcsh', ...OWN_OPTIONS, read: (call) => readShell(call, true) },
];

interface Invocation {
  line: boolean;
  input: boolean;
}

/** `foreign`: its language is not quite bash's, so its text is also searched for names. */
function readShell(call: Call, foreign: boolean): void {
  const words = [...call.args];
  const found: Invocation = { line: false, input: false };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const text = literalText(word);
    if (text === null) {
      readRuntime(call, word, found, foreign);
      return;
    }
    if (text === '-' || text === '--') {
      readOperand(call, words.shift(), found, foreign);
      return;
    }
    if (!/^[-+]./.test(text)) {
      readOperand(call, word, found, foreign);
      return;
    }
    if (!readOption(call, text, words, found, foreign)) return;
  }
  readOperand(call, undefined, found, foreign);
}

/** A word that may be an option, and so `-c`, unless its beginning says that it is the path of a script. */
function readRuntime(call: Call, word: Word, found: Invocation, foreign: boolean): void {
  const isPath = /^[^-+]/.test(certainStart(word)) || word.pipe;
  if (found.line || isPath) readOperand(call, word, found, foreign);
  else call.anything('has an option that is only known at run time');
}

function readOperand(
  call: Call,
  word: Word | undefined,
  { line, input }: Invocation,
  foreign: boolean,
): void {
  if (line) {
    if (word) runLine(call, word, foreign);
    return;
  }
  call.add('process_launch');
  if (word && !input) runFile(call, word);
  else if (foreign && call.facts.input.kind === 'text') runLine(call, literal(call.facts.input.text), true);
  else runInput(call);
}

function runLine(call: Call, word: Word, foreign: boolean): void {
  if (foreign) {
    readCode(call, literalText(word));
    // `=name` is the path of a program.
    if (/(^|[\s;&|({])=\w/.test(word.text)) {
      call.anything('names a command in a way of its own');
      return;
    }
  }
  call.shell(word);
}

/** Options of bash with a value, long ones first. */
function readOption(call: Call, text: string, words: Word[], found: Invocation, foreign: boolean): boolean {
  if (/\s/.test(text)) call.anything('has an option that is not known');
  if (text.startsWith('--')) return readLong(call, text, words, found, foreign);
  if (/^-[a-zA-Z]*c/.test(text)) found.line = true;
  if (/^-[a-zA-Z]*s/.test(text)) found.input = true;
  if (/^-[a-zA-Z]*[iC]/.test(text)) call.add('process_launch');
  for (const letter of text.slice(1)) {
    if (letter !== 'o' && letter !== 'O') continue;
    const value = literalText(words.shift());
    if (value !== null && !/^(history|histexpand|keyword|posix|expand_aliases|extglob)$/.test(value))
      continue;
    call.anything('changes how commands are read');
    return false;
  }
  return true;
}

function readLong(call: Call, text: string, words: Word[], found: Invocation, foreign: boolean): boolean {
  const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (/^(init-|c)?command$/i.test(name)) {
    const line = value === undefined ? words.shift() : literal(value);
    if (line) runLine(call, line, foreign);
    found.line = !line;
    return !line || name.startsWith('init');
  }
  if (/^(rcfile|init-file|file)$/i.test(name)) {
    const file = words.shift();
    call.add('process_launch');
    if (file) runFile(call, file);
  }
  return true;
}
