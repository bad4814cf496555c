import type { EffectClass } from '../../../../../core-wasm/core.ts';
import type { Arguments } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';

/**
 * What becomes of an option's value or an operand:
 * - `text` nothing; `look` it may name a secret; `read` its contents are shown or sent
 * - `write`, `out` (as write, but `-` is the standard output), `delete`, `move` (as read and delete)
 * - `url` an address, which may also be a file; `launch` something that is run, such as a script
 * - `shell` a line for a shell; `starter` one to which arguments are added; `command` this and all that follow are a command; `code` text in another language
 * - `anything` it cannot be known
 */
export const ROLES = [
  ...(['text', 'look', 'read', 'write', 'out', 'delete', 'move', 'url', 'launch'] as const),
  ...(['shell', 'starter', 'command', 'code', 'anything'] as const),
] as const;
export type Role = (typeof ROLES)[number];

/** How a program, or one of its subcommands, is read. Lists are written with blanks between. */
export interface Reading {
  /** Classes that it has whatever its arguments. */
  does?: string;
  /** Each `name`, `name:role` (takes a value), `name?:role` (only attached), with `!class,class`; names of one option joined by `|`. */
  options?: string;
  /** Roles by position; the last holds for all that follow. `look` where nothing is said. */
  operands?: string;
  /** Role of the last operand where there is more than one. */
  last?: Role;
  /** Options end at the first operand. */
  stops?: boolean;
  /** An option that is not listed makes it unreadable. */
  strict?: boolean;
  /** Long options have one dash and short ones are not joined. */
  singleDash?: boolean;
  /** A quoted word that is only known at run time is an operand, such as the name of a branch, and no option. */
  wordsAreOperands?: boolean;
  /** By first operand, several names joined by blanks; a text is its classes. */
  commands?: Readonly<Record<string, string | Reading>>;
  /** Where no command, or none of these, is given; anything, unless told. */
  bare?: string | Reading;
  otherwise?: string | Reading;
  /** So many words may stand before a `--help` that ends the command: then it only helps. */
  helpBehind?: number;
  /** What no table can say; comes after the rest. */
  read?: (call: Call, given: Arguments) => void;
}

export interface Program extends Reading {
  names: string;
}

export interface Option {
  names: readonly string[];
  role: Role | null;
  /** Its value can only be attached, and may be missing. */
  attached: boolean;
  effects: readonly EffectClass[];
}
