import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { moved } from '../reading/paths.ts';
import { literal, literalText } from '../words/word.ts';
import { joinedText } from './builtins-running.ts';
import type { Program, Reading } from './program.ts';

const INSTALL = 'package_install network_egress';
const FETCH_AND_RUN = 'package_install process_launch network_egress';
const PUBLISH = 'provider_sync_write network_egress';
const RUN = 'process_launch';

const OPTIONS =
  'C|dir|prefix:text w|workspace:text filter|F:text cwd:text script-shell:anything node-options:anything registry:text userconfig:anything globalconfig:anything g|global!write_outside_worktree,file_write';

/** Fetches a package and runs it: the rest may be a command that is known. */
const runsPackage: Reading = {
  does: FETCH_AND_RUN,
  options: 'c|call:shell p|package:text y|yes q|quiet shell-mode|shell:text',
  operands: 'command',
  stops: true,
};

const COMMON: Readonly<Record<string, string | Reading>> = {
  'install i in ins add a ci clean-install install-test it update up upgrade u link ln dedupe ddp rebuild uninstall remove rm un r audit-fix init create import dlx-install':
    { does: INSTALL, options: 'D g|global!write_outside_worktree,file_write C|dir|prefix|cwd:write' },
  'x exec dlx': runsPackage,
  'run run-script rum test t tst start stop restart install-and-run': { does: RUN, read: readOwnProgram },
  'publish unpublish deprecate dist-tag owner access team hook star unstar profile': PUBLISH,
  'view v info show search s ping whoami outdated fund docs repo bugs home': 'network_egress',
  audit: { commands: { fix: INSTALL }, bare: 'network_egress', otherwise: 'network_egress' },
  explore: { does: RUN, operands: 'text command', stops: true },
  'ls list ll la why explain prefix root bin help version-check query licenses': '',
  'login logout adduser token': 'secret_access file_write write_outside_worktree network_egress',
  version: { does: 'file_write git_commit process_launch' },
  pack: { does: 'file_write process_launch', options: 'pack-destination:write' },
  'prune cache store': 'file_write file_delete',
  'config c set get pkg': {
    commands: { 'get list ls': '' },
    otherwise: 'file_write process_launch',
    bare: '',
  },
};

/** Package managers of JavaScript. What they do not know is a script of the project. */
export const NODE_PACKAGES: readonly Program[] = [
  {
    names: 'npm',
    options: OPTIONS,
    commands: COMMON,
    bare: '',
    otherwise: FETCH_AND_RUN,
    read: readElsewhere,
  },
  {
    names: 'pnpm',
    options: OPTIONS.replace('w|workspace:text', 'w|workspace-root r|recursive'),
    commands: {
      ...COMMON,
      env: INSTALL,
      'recursive multi m': { commands: COMMON, otherwise: FETCH_AND_RUN, bare: '' },
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
    read: readElsewhere,
  },
  {
    names: 'yarn yarnpkg',
    options: OPTIONS,
    commands: {
      ...COMMON,
      npm: PUBLISH,
      node: RUN,
      workspace: { operands: 'text command', stops: true, does: RUN, read: readWorkspace },
      workspaces: { does: RUN, operands: 'text', read: readWorkspace },
      'global set plugin policies': `${FETCH_AND_RUN} file_write write_outside_worktree`,
    },
    bare: INSTALL,
    otherwise: RUN,
  },
  {
    names: 'bun',
    options: `${OPTIONS} e|eval:code p|print:code r|preload:launch`,
    commands: {
      'install i add a update remove rm link create init c pm-install upgrade': INSTALL,
      x: runsPackage,
      'run test build repl exec start dev': { does: RUN, operands: 'look', stops: true, read: readBunRun },
      publish: PUBLISH,
      pm: { commands: { 'ls list bin hash whoami view why': '' }, otherwise: INSTALL, bare: '' },
      outdated: 'network_egress',
    },
    bare: '',
    otherwise: { does: RUN, stops: true, read: readOwnProgram },
  },
  { names: 'npx bunx pnpx pnx', ...runsPackage, read: readNpx },
  { names: 'corepack nvm fnm volta n', does: FETCH_AND_RUN, operands: 'text' },
  {
    names: 'lerna nx turbo rush changeset semantic-release release-it np auto',
    does: FETCH_AND_RUN,
    operands: 'text',
    read: readPublishing,
  },
  {
    names: 'cross-env cross-env-shell',
    operands: 'text',
    stops: true,
    read: (call) => call.command([{ ...call.facts.program, text: 'env' }, ...call.args]),
  },
];

/** Control Center's own command line, however it is started. */
function readOwnProgram(call: Call): void {
  const at = call.args.findIndex(({ text }) => /(^|\/)cctl(\.ts)?$/.test(text));
  if (at >= 0) call.command([literal('cctl'), ...call.args.slice(at + 1)]);
}

/** `bun exec` takes a line for a shell. */
function readBunRun(call: Call): void {
  readOwnProgram(call);
  const line = /\bexec\b/.test(call.facts.shown) ? joinedText(call.args) : '';
  if (line !== '') call.shellText(line);
}

function readNpx(call: Call, given: Arguments): void {
  const line = optionValue(given, 'c');
  if (has(given, 'c') && line && literalText(line) === null)
    call.anything('runs a line only known at run time');
}

/** Files are written where `--prefix` and the like say. */
function readElsewhere(call: Call, given: Arguments): void {
  const folder = optionValue(given, 'C', 'cwd');
  if (folder && !call.with({ places: moved(folder, call.facts.places) }).isInside)
    call.add('file_write', 'write_outside_worktree');
}

/** A command of the package manager, or of the workspaces by `exec`. */
function readWorkspace(call: Call): void {
  const at = call.args.findIndex((word) => /^(exec|node|dlx)$/.test(literalText(word) ?? ''));
  if (at >= 0) call.command(call.args.slice(at + 1));
  else if (call.args.some(({ text }) => /^(add|install|remove|up|focus)$/.test(text)))
    call.add('package_install', 'network_egress');
  if (call.args.some(({ text }) => /^publish$/.test(text))) call.add('provider_sync_write', 'network_egress');
}

const PUBLISHES = /publish|release|version/;

function readPublishing(call: Call): void {
  const exec = call.args.findIndex((word) => literalText(word) === 'exec');
  if (exec >= 0) call.command(call.args.slice(exec + 1).filter(({ text }) => !text.startsWith('-')));
  if (PUBLISHES.test(call.name) || call.name === 'np' || call.name === 'auto')
    call.add('provider_sync_write', 'git_commit', 'git_push', 'network_egress');
  if (call.args.some(({ kind, text }) => kind !== 'literal' || /publish|release|version/.test(text)))
    call.add('provider_sync_write', 'git_commit', 'git_push', 'network_egress');
}
