import { posix } from 'node:path';
import { PROGRAMS } from '../programs/every-program.ts';
import { literal, literalText } from '../words/word.ts';
import type { Call } from './call.ts';
import { type Compiled, compileAll } from './option-table.ts';
import { readProgram } from './read-program.ts';
import type { Scope } from './session.ts';

const TABLE: ReadonlyMap<string, Compiled> = compileAll(PROGRAMS);

/** Characters that show nothing or turn the text around, in which a name could hide. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/u;
const SYSTEM = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** Adds what a command does: that of its program if it is known, else that it starts a process. */
export function dispatch(call: Call, { functions, survey }: Scope): void {
  const { program } = call.facts;
  const name = literalText(program);
  if (name === null) {
    call.anything('names its command only at run time');
    return;
  }
  if (HIDDEN.test(name)) {
    call.anything('hides characters in the name of its command');
    return;
  }
  if (/\s/.test(name)) {
    // The shell looks for a program of that name; people read a command and its arguments.
    call.add('process_launch');
    call.command([
      ...name
        .trim()
        .split(/\s+/)
        .map((word) => literal(word)),
      ...call.args,
    ]);
    return;
  }
  const path = name.includes('/') ? posix.normalize(name) : null;
  if (path !== null && !SYSTEM.test(path)) call.add('process_launch');
  const table = find(path === null ? name : posix.basename(path), call);
  if (table) {
    readProgram(call, table);
    return;
  }
  if (!functions.has(name) || survey.definesUnseen) readUnknown(call);
}

/** By its name; or, which starts more than the name says, by its name without a version, an ending or capitals. */
function find(name: string, call: Call): Compiled | null {
  const exact = TABLE.get(name);
  if (exact) return exact;
  const plain = name.toLowerCase().replace(/\.(exe|cmd|bat|sh|ts)$/, '');
  const near = TABLE.get(plain) ?? TABLE.get(plain.replace(/-?\d+(\.\d+)*$/, ''));
  if (near) call.add('process_launch');
  return near ?? null;
}

/** A program that is not known may run the command that its arguments are. */
function readUnknown(call: Call): void {
  call.add('process_launch');
  for (const word of call.args) call.look(word, false);
  const inner = call.args.findIndex((word) => RUNS.has(literalText(word) ?? ''));
  if (inner >= 0) call.command(call.args.slice(inner));
}

/** Names that, among the arguments of an unknown program, are taken for the command that it runs. */
const RUNS = new Set(
  'git gh glab hub rm sh bash zsh dash sudo env npm npx pnpm yarn pip pip3 cargo curl wget ssh docker podman kubectl eval xargs'.split(
    ' ',
  ),
);
