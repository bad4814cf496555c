import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { readVariable } from '../reading/read-assignments.ts';
import { holdsSubscript } from '../reading/survey.ts';
import { certainStart, dropStart, literalText, type Word } from '../words/word.ts';
import type { Program } from './program.ts';

/** Commands of the shell that set, read or print variables and options. */
export const VARIABLE_BUILTINS: readonly Program[] = [
  { names: 'export declare typeset readonly local', operands: 'text', read: readDeclaration },
  { names: 'set', operands: 'text', read: readSet },
  { names: 'shopt', options: 's u q p o', operands: 'text', read: readShopt },
  {
    names: 'read',
    options: 'a:text d:text e i:text n:text N:text p:text r s t:text u:text',
    operands: 'text',
    read: (call, given) => readNames(call, [...given.operands, ...values(given, 'a')]),
  },
  {
    names: 'mapfile readarray',
    options: 'C:shell c:text d:text n:text O:text s:text t u:text',
    operands: 'text',
    read: (call, { operands }) => readNames(call, operands),
  },
  {
    names: 'unset',
    options: 'f v n',
    operands: 'text',
    read: (call, { operands }) => readNames(call, operands),
  },
  {
    names: 'getopts',
    operands: 'text',
    read: (call, { operands }) => readNames(call, operands.slice(1, 2)),
  },
  {
    names: 'printf',
    options: 'v:text',
    operands: 'text',
    stops: true,
    read: (call, given) => readNames(call, values(given, 'v')),
  },
  {
    names: 'wait',
    options: 'p:text f n',
    operands: 'text',
    read: (call, given) => readNames(call, values(given, 'p')),
  },
  { names: 'test [', operands: 'text', read: (call) => readNames(call, behind(call.args, '-v')) },
];

const values = ({ options }: Arguments, name: string): Word[] =>
  options.flatMap(({ option, value }) => (option?.names.includes(name) && value ? [value] : []));

function behind(words: readonly Word[], name: string): Word[] {
  return words.filter((_, i) => literalText(words[i - 1]) === name);
}

/** Names of variables: subscripts in them are evaluated, and some variables say what is run. */
function readNames(call: Call, words: readonly Word[]): void {
  for (const word of words) {
    const name = literalText(word);
    if (name === null) call.anything('names a variable only at run time');
    else if (holdsSubscript(name)) call.anything('may evaluate a text with a substitution');
    else readVariable(call, name.replace(/\[.*/, ''), null);
  }
}

function readDeclaration(call: Call, given: Arguments): void {
  if (given.operands.length === 0 || has(given, 'p')) {
    call.add('secret_access');
    return;
  }
  if (has(given, 'i')) call.anything('makes the shell evaluate what is assigned later');
  if (has(given, 'n')) {
    call.anything('gives a variable a second name');
    return;
  }
  for (const word of given.operands) {
    const start = certainStart(word);
    const equals = start.indexOf('=');
    if (equals < 0 && word.kind !== 'literal') call.anything('names a variable only at run time');
    if (equals < 0) continue;
    const value = dropStart(word, equals + 1);
    if (holdsSubscript(start.slice(0, equals))) call.anything('may evaluate a text with a substitution');
    readVariable(call, start.slice(0, equals).replace(/(\[.*)?\+?$/, ''), value);
  }
}

/** Options that change how the rest of the line is read. */
const READS_OTHERWISE = /^(history|histexpand|keyword|posix|restricted)$/;

function readSet(call: Call): void {
  if (call.args.length === 0) {
    call.add('secret_access');
    return;
  }
  for (const word of call.args) {
    const text = literalText(word);
    if (text === '--' || text === '-') return;
    if (text === null) {
      call.anything('sets options only known at run time');
      return;
    }
    if (/^[-+][a-z]*[HkP]/i.test(text) && /[Hk]/.test(text)) {
      call.anything('changes how commands are read');
      return;
    }
    if (READS_OTHERWISE.test(text)) {
      call.anything('changes how commands are read');
      return;
    }
  }
}

const HARMLESS_SHOPTS =
  /^(globstar|nullglob|dotglob|failglob|nocaseglob|nocasematch|lastpipe|inherit_errexit|huponexit|checkwinsize|pipefail|errexit|nounset|xtrace|noglob|noclobber|allexport|verbose)$/;

function readShopt(call: Call, { operands }: Arguments): void {
  const names = operands.map(literalText);
  if (!names.every((name) => name !== null && HARMLESS_SHOPTS.test(name)))
    call.anything('changes how commands are read');
}
