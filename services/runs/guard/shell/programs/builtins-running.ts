import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { certainStart, literalText, type Word } from '../words/word.ts';
import type { Program } from './program.ts';

/** Commands of the shell that run lines, files or other commands. */
export const RUNNING_BUILTINS: readonly Program[] = [
  { names: 'eval', operands: 'text', stops: true, read: readEval },
  { names: 'source .', operands: 'text', stops: true, read: readSource },
  { names: 'trap', options: 'l p P', operands: 'text', read: readTrap },
  { names: 'alias', options: 'p', operands: 'text', read: readAlias },
  { names: 'command', options: 'p v V', operands: 'text', stops: true, strict: true, read: readCommand },
];

/** The text of words, as one line; null if any is only known at run time. */
export function joinedText(words: readonly Word[]): string | null {
  const texts = words.map(literalText);
  return texts.includes(null) ? null : texts.join(' ');
}

function readEval(call: Call, { operands }: Arguments): void {
  if (operands.length > 0) call.shellText(joinedText(operands));
}

function readSource(call: Call, { operands: [file] }: Arguments): void {
  if (!file) return;
  call.add('process_launch');
  runFile(call, file);
}

/** A file of shell commands: one in the file system is a script, a pipe or a descriptor may hold anything. */
export function runFile(call: Call, file: Word): void {
  const { input } = call.facts;
  if (literalText(file) === '/dev/stdin') {
    runInput(call);
    return;
  }
  if (file.pipe || /^\/(dev|proc)\//.test(certainStart(file))) {
    call.anything('runs what a pipe holds');
    return;
  }
  if (file.kind === 'runtime' && input.kind !== 'none') {
    call.anything('may run what a pipe holds');
    return;
  }
  call.look(file, false);
}

/** What a shell reads as its input. */
export function runInput(call: Call): void {
  const { input } = call.facts;
  if (input.kind === 'text') call.with({ input: { kind: 'none' } }).shellText(input.text);
  if (input.kind === 'runtime') call.anything('runs what a pipe holds');
}

function readTrap(call: Call, { operands }: Arguments): void {
  const [line, signal] = operands;
  if (!line || !signal || literalText(line) === '-') return;
  call.with({ input: { kind: 'runtime' }, places: call.facts.later }).shell(line);
}

function readAlias(call: Call, { operands }: Arguments): void {
  if (operands.some(({ kind, text }) => kind !== 'literal' || text.includes('=')))
    call.anything('changes how commands are read');
}

function readCommand(call: Call, given: Arguments): void {
  if (!has(given, 'v', 'V')) call.command(given.operands);
}
