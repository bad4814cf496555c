import { CODE_LINES } from './code-lines.ts';
import { FILE_LINES } from './file-lines.ts';
import { GIT_LINES } from './git-lines.ts';
import { HARMLESS_LINES } from './harmless-lines.ts';
import type { Line } from './line.ts';
import { NETWORK_LINES } from './network-lines.ts';
import { PACKAGE_LINES } from './package-lines.ts';
import { SECRET_LINES } from './secret-lines.ts';
import { SHELL_LINES } from './shell-lines.ts';
import { WORD_LINES } from './word-lines.ts';
import { WRAPPER_LINES } from './wrapper-lines.ts';

/** Lines by theme, each with exactly the classes that it has. */
export const COMMAND_LINES: Readonly<Record<string, readonly Line[]>> = {
  harmless: HARMLESS_LINES,
  wrappers: WRAPPER_LINES,
  'the shell itself': SHELL_LINES,
  words: WORD_LINES,
  git: GIT_LINES,
  files: FILE_LINES,
  packages: PACKAGE_LINES,
  'networks and providers': NETWORK_LINES,
  code: CODE_LINES,
  secrets: SECRET_LINES,
};
