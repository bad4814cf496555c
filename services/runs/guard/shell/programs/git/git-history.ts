import { type Arguments, has } from '../../reading/arguments.ts';
import type { Call } from '../../reading/call.ts';
import { literalText } from '../../words/word.ts';
import type { Reading } from '../program.ts';
import { readRemote } from './git-reading.ts';

type Commands = Readonly<Record<string, string | Reading>>;

const EDITS =
  'e|edit S|gpg-sign?:text s|strategy:text X|strategy-option:text m|message:text F|file:read C|reuse-message:text c|reedit-message:text author:text date:text t|template:read cleanup:text trailer:text fixup:text squash:text';

/** Subcommands that make, move or drop commits, branches and tags. */
export const HISTORY: Commands = {
  commit: { does: 'git_commit', options: EDITS },
  'merge cherry-pick revert am': { does: 'git_commit file_write', options: EDITS, read: readStrategy },
  rebase: {
    does: 'git_commit file_write',
    options: 'x|exec:shell onto:text s|strategy:text X:text S?:text i|interactive',
    read: readStrategy,
  },
  pull: {
    does: 'git_commit file_write network_egress',
    options: 'upload-pack:starter s|strategy:text X:text S?:text depth:text o|server-option:text',
    read: (call, given) => {
      readStrategy(call, given);
      readRemote(call, given);
    },
  },
  reset: { does: 'git_commit', read: readReset },
  'update-ref commit-tree mktag mktree write-tree replace fast-import': 'git_commit file_write',
  'symbolic-ref': { does: 'git_commit', read: () => undefined },
  'filter-branch': {
    does: 'git_commit file_write file_delete process_launch',
    options:
      'env-filter:shell tree-filter:shell index-filter:shell parent-filter:shell msg-filter:shell commit-filter:shell tag-name-filter:shell setup:shell d:write original:text',
  },
  'filter-repo': {
    does: 'git_commit file_write file_delete process_launch',
    otherwise: '',
    read: (call) => call.anything('rewrites commits with code'),
  },
  tag: {
    options:
      'l|list:text n?:text a|annotate s|sign d|delete f|force m|message:text F|file:read u|local-user:text contains:text no-contains:text merged:text no-merged:text points-at:text sort:text format:text column?:text v|verify e|edit',
    read: (call, given) =>
      readListing(call, given, [
        'l',
        'n',
        'contains',
        'no-contains',
        'merged',
        'no-merged',
        'points-at',
        'v',
      ]),
  },
  branch: {
    options:
      'l|list d|delete D m|move M c|copy C f|force u|set-upstream-to:text unset-upstream edit-description a|all r|remotes v|verbose vv show-current contains:text no-contains:text merged?:text no-merged?:text points-at:text sort:text format:text column?:text t|track?:text q|quiet',
    read: readBranch,
  },
  notes: {
    commands: { 'list show get-ref': '', 'add append copy edit merge remove prune': 'git_commit' },
    options: 'ref:text',
    bare: '',
  },
  stash: {
    commands: {
      'list show': '',
      'push save pop apply drop clear create store branch': 'git_commit file_write file_delete',
    },
    bare: 'git_commit file_write file_delete',
    options: 'q p k u a m:text include-untracked keep-index all message:text patch staged quiet',
  },
  bisect: {
    commands: {
      'log terms': '',
      'view visualize': { does: 'process_launch', operands: 'anything' },
      'start good bad new old reset skip replay next': 'git_commit file_write file_delete',
      run: { does: 'git_commit file_write file_delete', operands: 'command', stops: true },
    },
    bare: '',
  },
  reflog: {
    commands: { 'show list exists': '', 'expire delete drop write': 'git_commit file_delete' },
    bare: '',
    otherwise: '',
  },
  rerere: { commands: { 'status diff remaining': '', 'clear forget gc': 'file_write' }, bare: 'file_write' },
};

const STRATEGIES = /^(ours|theirs|resolve|recursive|octopus|subtree|ort)$/;

/** A strategy that git does not have is a program of that name. */
function readStrategy(call: Call, { options }: Arguments): void {
  for (const { option, value } of options) {
    if (option?.names.includes('strategy') && value && !STRATEGIES.test(literalText(value) ?? ''))
      call.add('process_launch');
  }
}

function readReset(call: Call, given: Arguments): void {
  const soft = given.options.every(({ name }) =>
    /^(soft|mixed|q|quiet|N|intent-to-add|no-refresh|refresh)$/.test(name),
  );
  if (!soft || given.uncertain) call.add('file_write', 'file_delete');
}

/** Without operands, or with an option of listing, nothing is changed. */
function readListing(call: Call, given: Arguments, listing: string[]): void {
  const changes = has(given, 'd', 'D', 'f', 'a', 's', 'm', 'F');
  if (changes || given.uncertain || (given.operands.length > 0 && !has(given, ...listing)))
    call.add('git_commit');
}

const BRANCH_LISTS = [
  'l',
  'a',
  'r',
  'v',
  'vv',
  'show-current',
  'contains',
  'no-contains',
  'merged',
  'no-merged',
  'points-at',
];

function readBranch(call: Call, given: Arguments): void {
  const changes = has(
    given,
    'd',
    'D',
    'm',
    'M',
    'c',
    'C',
    'f',
    'u',
    'unset-upstream',
    'edit-description',
    't',
  );
  if (changes || given.uncertain || (given.operands.length > 0 && !has(given, ...BRANCH_LISTS)))
    call.add('git_commit');
}
