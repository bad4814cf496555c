import { type Arguments, has, optionValue } from '../../reading/arguments.ts';
import type { Call } from '../../reading/call.ts';
import { literalText } from '../../words/word.ts';
import type { Reading } from '../program.ts';
import { readSettings } from './git-settings.ts';

type Commands = Readonly<Record<string, string | Reading>>;

/** Subcommands that change files of the worktree, or git's own in it. */
export const WORKTREE: Commands = {
  'add update-index': { does: 'file_write', options: 'pathspec-from-file:look chmod:text', operands: 'look' },
  'read-tree sparse-checkout': 'file_write file_delete',
  mv: 'file_write file_delete',
  rm: { does: 'file_delete', options: 'pathspec-from-file:look' },
  clean: {
    options: 'n|dry-run e|exclude:text',
    operands: 'text',
    read: (call, given) => {
      if (!has(given, 'n') || given.uncertain) call.add('file_delete');
    },
  },
  'checkout switch restore': {
    does: 'file_write file_delete',
    options:
      'b:text B:text c|create:text C|force-create:text orphan:text t|track?:text s|source:text conflict:text pathspec-from-file:look',
    read: readCheckout,
  },
  'checkout-index': { does: 'file_write', options: 'prefix:write' },
  apply: {
    does: 'file_write file_delete',
    options:
      'unsafe-paths!write_outside_worktree directory:write exclude:text include:text p:text C:text build-fake-ancestor:write',
    operands: 'read',
  },
  'merge-file': { does: 'file_write', options: 'p|stdout L:text', operands: 'write' },
  'merge-index merge-one-file': 'process_launch file_write file_delete',
  init: {
    does: 'file_write',
    options: 'template:launch separate-git-dir:write b|initial-branch:text',
    operands: 'write',
  },
  worktree: {
    commands: {
      list: '',
      add: { does: 'git_commit', options: 'b:text B:text reason:text', operands: 'write text' },
      'move repair': { does: 'file_delete', operands: 'write' },
      remove: { operands: 'delete' },
      'lock unlock prune': 'file_write',
    },
  },
  'gc repack prune prune-packed pack-refs pack-objects index-pack commit-graph multi-pack-index refs update-server-info':
    'file_write file_delete',
  maintenance: {
    commands: {
      run: 'file_write file_delete network_egress',
      'start stop register unregister': 'file_write write_outside_worktree process_launch',
    },
  },
  mailinfo: { does: 'file_write', operands: 'write' },
  mailsplit: { does: 'file_write', options: 'o?:write', operands: 'look' },
  config: {
    options:
      'get get-all get-regexp get-urlmatch get-color get-colorbool l|list global!write_outside_worktree system!write_outside_worktree local worktree f|file:text blob:text type:text default:text e|edit!process_launch unset unset-all add replace-all rename-section remove-section show-origin show-scope name-only z|null includes',
    operands: 'text',
    read: readConfig,
  },
  hook: 'process_launch',
  'credential credential-cache credential-store credential-osxkeychain credential-libsecret': {
    does: 'secret_access',
    operands: 'text',
  },
};

function readCheckout(call: Call, given: Arguments): void {
  if (has(given, 'b', 'B', 'c', 'C', 'orphan', 't') || given.uncertain) call.add('git_commit');
}

const GETS = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool', 'l'];

/** Reading a setting does nothing; writing one may make git run something later. */
function readConfig(call: Call, given: Arguments): void {
  const [first, ...rest] = given.operands;
  const verb = literalText(first);
  const reads =
    has(given, ...GETS) || verb === 'get' || verb === 'list' || (rest.length === 0 && !writes(given));
  if (verb === 'edit' && rest.length === 0) call.add('process_launch');
  else if (reads && !given.uncertain) return;
  const file = optionValue(given, 'f');
  call.add('file_write');
  if (file) call.write(file);
  const operands = verb === 'set' || verb === 'unset' ? rest : given.operands;
  readSettings(call, operands[0], operands[1]);
}

const writes = (given: Arguments): boolean =>
  has(given, 'unset', 'unset-all', 'add', 'replace-all', 'e', 'rename-section', 'remove-section');
