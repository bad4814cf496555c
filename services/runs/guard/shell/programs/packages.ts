import type { Arguments } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { literalText } from '../words/word.ts';
import type { Program, Reading } from './program.ts';

const INSTALL = 'package_install network_egress';
const BUILD = 'process_launch';
const PUBLISH = 'provider_sync_write network_egress';
const NET = 'network_egress';
const FETCH_AND_RUN = 'package_install process_launch network_egress';

/** Runs the command behind it in an environment of the project. */
const runs: Reading = {
  does: BUILD,
  options: 'with:text e:text env-file:read',
  operands: 'command',
  stops: true,
};

/** Packages of the system: reading ones are named, all else installs or removes. */
const system = (reads: string): Omit<Program, 'names'> => ({
  options: 'o:anything c:anything option:anything config-file:anything t:text',
  commands: { [reads]: '', 'search info show policy madison view': NET },
  bare: '',
  otherwise: FETCH_AND_RUN,
});

export const PACKAGES: readonly Program[] = [
  {
    names: 'pip pip3',
    options: 'cache-dir:text log:write proxy:text python:launch',
    commands: {
      'install uninstall wheel sync lock': {
        does: INSTALL,
        options:
          'r|requirement:look c|constraint:look t|target:write prefix:write root:write user!write_outside_worktree e|editable:look w|wheel-dir:write log:write report:write o|output:write',
      },
      download: { does: NET, options: 'd|dest:write', read: (call) => call.add('file_write') },
      'list show freeze check help inspect hash debug cache': '',
      'index search': NET,
      config: {
        commands: { 'list get debug': '' },
        otherwise: 'file_write write_outside_worktree process_launch',
      },
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'pipx',
    commands: {
      list: '',
      run: { does: FETCH_AND_RUN, options: 'spec:text', operands: 'command', stops: true },
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'uv',
    options: 'directory:text project:text config-file:text',
    commands: {
      'add remove sync lock venv python init': INSTALL,
      'pip tool': {
        commands: {
          'list show freeze check tree dir': '',
          run: { does: FETCH_AND_RUN, operands: 'command', stops: true },
        },
        otherwise: FETCH_AND_RUN,
        bare: '',
      },
      run: { ...runs, does: FETCH_AND_RUN },
      build: BUILD,
      publish: PUBLISH,
      'tree version help export': '',
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'uvx',
    does: FETCH_AND_RUN,
    options: 'from:text with:text p|python:text',
    operands: 'command',
    stops: true,
  },
  {
    names: 'poetry pdm hatch rye pixi pipenv conda mamba micromamba',
    options: 'C|directory:text n|name:text p|prefix:text no-capture-output',
    commands: {
      run: runs,
      'show list info check graph': '',
      env: {
        commands: { 'list info activate': '' },
        otherwise: `${FETCH_AND_RUN} file_write file_delete`,
        bare: '',
      },
      config: {
        options: 'list show show-sources get:text describe',
        commands: { list: '' },
        bare: '',
        otherwise: 'file_write write_outside_worktree process_launch',
      },
      version: { commands: { show: '' }, bare: '', otherwise: 'file_write' },
      publish: PUBLISH,
      'build shell test': BUILD,
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  { names: 'twine', commands: { check: '' }, otherwise: PUBLISH, bare: '' },
  {
    names: 'cargo',
    options: 'config:anything Z:text C:text color:text manifest-path:look',
    commands: {
      'build b check c test t run r bench doc d clippy fmt rustc rustdoc fix nextest miri expand watch':
        BUILD,
      clean: { does: 'file_delete', options: 'target-dir:delete manifest-path:look p|package:text' },
      'install uninstall add remove rm update fetch vendor binstall': INSTALL,
      'publish yank owner': PUBLISH,
      'new init': {
        does: 'file_write process_launch',
        options: 'name:text vcs:text edition:text',
        operands: 'write',
      },
      'generate-lockfile package': 'file_write process_launch',
      'metadata tree version locate-project pkgid read-manifest verify-project help report': '',
      'search info': NET,
      'login logout': 'secret_access file_write write_outside_worktree',
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  { names: 'rustup', commands: { 'show which': '' }, otherwise: FETCH_AND_RUN, bare: '' },
  {
    names: 'go',
    options: 'C:text',
    singleDash: true,
    commands: {
      'build test run vet generate tool fix bench work': {
        does: BUILD,
        options: 'exec:shell toolexec:shell o:write vettool:shell',
        singleDash: true,
        stops: true,
        read: readModule,
      },
      'get install mod': INSTALL,
      fmt: 'file_write',
      'list env version doc help': {
        options:
          'w!file_write,write_outside_worktree u m!network_egress toolexec:shell exec:shell overlay:launch',
        singleDash: true,
      },
      clean: 'file_delete',
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'gem',
    commands: {
      'list which environment contents dependency help': '',
      'search info outdated': NET,
      'push yank owner': PUBLISH,
    },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'bundle bundler',
    commands: {
      exec: runs,
      'list show info check': '',
      outdated: NET,
      config: {
        commands: { 'list get': '' },
        bare: '',
        otherwise: 'file_write write_outside_worktree process_launch',
      },
    },
    bare: INSTALL,
    otherwise: FETCH_AND_RUN,
  },
  {
    names: 'composer',
    commands: { 'show validate licenses diagnose': '', 'run run-script': BUILD, exec: runs },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
  { names: 'apt apt-get aptitude', ...system('list depends rdepends help') },
  {
    names: 'apt-cache apt-file',
    options: 'o:anything c:anything option:anything config-file:anything',
    operands: 'text',
    wordsAreOperands: true,
  },
  { names: 'dnf yum microdnf zypper', ...system('list repolist repoquery provides help') },
  { names: 'brew', ...system('list leaves config doctor deps uses --prefix') },
  { names: 'apk', ...system('list version stats') },
  { names: 'snap flatpak port winget choco scoop', ...system('list') },
  { names: 'pacman yay paru', operands: 'text', read: (call) => installsUnless(call, /^-Q[a-z]*$/) },
  {
    names: 'dpkg',
    operands: 'text',
    read: (call) => installsUnless(call, /^(-[lsLS]|--(list|status|search|get-selections|print-.*))$/),
  },
  {
    names: 'rpm',
    operands: 'text',
    read: (call) => {
      if (
        call.args.some(({ text }) =>
          /^(-E|-D|--(pipe|eval|define|macros|load|rcfile|root|dbpath)\b)|%[({]/.test(text),
        )
      )
        call.anything('may run commands of its macros');
      installsUnless(call, /^(-[qV][a-z]*|--query|--verify)$/);
    },
  },
  {
    names: 'nix nix-env nix-shell nix-build nixos-rebuild home-manager guix devbox',
    does: FETCH_AND_RUN,
    options: 'run:shell command:command c:command',
    operands: 'text',
    read: (call) => {
      const at = call.args.findIndex(({ text }) => text === '--' || text === 'run');
      if (at >= 0) call.command(call.args.slice(at + 1));
    },
  },
  {
    names: 'asdf mise rbenv pyenv nodenv',
    commands: { 'list ls current which where versions version': '', 'exec x': runs },
    bare: '',
    otherwise: FETCH_AND_RUN,
  },
];

/** A module with a version is fetched. */
function readModule(call: Call, { operands }: Arguments): void {
  if (operands.some(({ text }) => /\w@\w/.test(text))) call.add('package_install', 'network_egress');
}

/** By its first word, which says whether it only reads. */
function installsUnless(call: Call, reads: RegExp): void {
  const [first] = call.args;
  if (first && !reads.test(literalText(first) ?? ''))
    call.add('package_install', 'process_launch', 'network_egress');
}
