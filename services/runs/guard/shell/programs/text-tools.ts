import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { isSecretName } from '../reading/secrets.ts';
import { literalText, type Word } from '../words/word.ts';
import type { Program } from './program.ts';
import { type SedEffect, sedEffects } from './sed-script.ts';

/** Tools whose first operand is a program of their own. */
export const TEXT_TOOLS: readonly Program[] = [
  {
    names: 'sed gsed ssed',
    options:
      'n|quiet|silent E|r|regexp-extended s|separate z|null-data u|unbuffered i?:text in-place?:text e|expression:text f|file:launch l|line-length:text sandbox posix debug follow-symlinks b',
    operands: 'text',
    read: readSed,
  },
  {
    names: 'awk gawk mawk nawk original-awk',
    options:
      'F|field-separator:text v|assign:text f|file:launch e|source:text i|include:text E|exec:launch l|load:launch o|pretty-print?:write p|profile?:write d|dump-variables?:write D|debug?:launch',
    operands: 'text',
    read: readAwk,
  },
  {
    names: 'jq gojq jaq',
    options:
      'f|from-file:look L:look arg:text argjson:text slurpfile:text rawfile:text indent:text tab args jsonargs',
    operands: 'text read',
    read: (call) => readsEnvironment(call),
  },
  {
    names: 'yq',
    options:
      'i|inplace I|indent:text o|output-format:text p|input-format:text from-file:look s|split-exp:text',
    operands: 'text read',
    read: (call, given) => {
      if (has(given, 'i')) for (const file of given.operands) call.write(file);
      if (has(given, 's', 'split-exp')) call.add('file_write', 'write_outside_worktree');
      readsEnvironment(call);
    },
  },
];

/** Programs of these show the environment, whole or by name, and files that they name. */
function readsEnvironment(call: Call): void {
  for (const word of call.args) {
    const text = word.text.replace(/\.env\b/g, '');
    const names = [...text.matchAll(/(?:\$ENV|\benv)\.(\w+)/g)].map(([, name]) => name!);
    if (/\$ENV\b(?!\.\w)|\b(str)?env\b(?!\.\w)/.test(text) || names.some(isSecretName))
      call.add('secret_access');
    if (/\bload\w*\s*\(/.test(text)) call.look({ ...word, kind: 'runtime' }, true);
    if (/\bsystem\b/.test(text)) call.anything('may run commands');
  }
  for (const [i, { text }] of call.args.entries()) {
    const file = call.args[i + 2];
    if (/^--(raw|slurp)file$/.test(text) && file) call.look(file, true);
  }
}

const SED_ADDS: Record<SedEffect, (call: Call) => void> = {
  runs: (call) => call.anything('runs what it makes of its input'),
  writes: (call) => call.add('file_write', 'write_outside_worktree'),
  reads: (call) => call.add('secret_access'),
  unreadable: (call) => call.anything('has a program that cannot be read'),
};

function readSed(call: Call, given: Arguments): void {
  const scripts = given.options.filter(({ option }) => option?.names.includes('e')).map(({ value }) => value);
  const own = scripts.length > 0 || has(given, 'f');
  const [first, ...rest] = given.operands;
  if (!own && first) scripts.push(first);
  // Other kinds of sed take the suffix of `-i` as a word of its own.
  if (!own && literalText(first) === '' && rest[0]) scripts.push(rest[0]);
  for (const script of scripts) readSedScript(call, script);
  const inPlace = has(given, 'i', 'in-place');
  for (const file of own ? given.operands : rest) {
    if (inPlace) call.write(file);
    else call.look(file, true);
  }
  const suffix = optionValue(given, 'i', 'in-place');
  if (inPlace && suffix && /\//.test(suffix.text)) call.add('write_outside_worktree');
}

function readSedScript(call: Call, script: Word | null): void {
  const text = literalText(script);
  if (text === null) {
    call.anything('has a program only known at run time');
    return;
  }
  for (const effect of sedEffects(text)) SED_ADDS[effect](call);
}

/** Ways of awk to write, to run text that is no literal, and to show the environment. */
const AWK_WRITES_INSIDE = />>?\s*"(?![/~]|[^"]*\.\.)[\w.-]+(\/[\w.-]+)*"\s*(?=$|[;}\n])/g;
const AWK_WRITES_OUT = />>?\s*"\/dev\/std(out|err)"/g;
const AWK_RUNS =
  /\bsystem\s*\(\s*(?!"[^"]*"\s*\))|\|\s*(?!"|getline|\|)|"\s*([\w/]*\/)?(ba|da|z|k)?sh\b|\|\s*getline|\|&|@(load|include)|\/inet/;
const PIPED = /"\s*\|\s*getline/;

function readAwk(call: Call, given: Arguments): void {
  const codes = given.options.filter(({ option }) => option?.names.includes('e')).map(({ value }) => value);
  const own = codes.length > 0 || has(given, 'f', 'E');
  const [first, ...rest] = given.operands;
  if (!own && first) codes.push(first);
  for (const code of codes) readAwkCode(call, code);
  const inPlace = given.options.some(({ value }) => literalText(value)?.includes('inplace'));
  for (const file of own ? given.operands : rest) {
    if (inPlace) call.write(file);
    else call.look(file, true);
  }
}

/** A mark of redirection behind a `print`; elsewhere it compares. */
function printsToFile(code: string): boolean {
  return code.split(/[;}\n]/).some((statement) => {
    const print = statement.search(/\bprintf?\b/);
    return print >= 0 && statement.includes('>', print);
  });
}

function readAwkCode(call: Call, code: Word | null): void {
  const text = literalText(code);
  readCode(call, text);
  if (text === null) return;
  const writing = text.replace(AWK_WRITES_OUT, '');
  if (printsToFile(writing)) call.add('file_write');
  if (printsToFile(writing.replace(AWK_WRITES_INSIDE, ''))) call.add('write_outside_worktree');
  const plain = text.replace(/\|\|/g, ' ');
  if (AWK_RUNS.test(plain.replace(PIPED, ' '))) call.anything('runs commands that it makes up');
}
