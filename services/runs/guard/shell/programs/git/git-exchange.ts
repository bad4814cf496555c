import { type Arguments, has } from '../../reading/arguments.ts';
import type { Call } from '../../reading/call.ts';
import { literal } from '../../words/word.ts';
import type { Reading } from '../program.ts';
import { readRemote } from './git-reading.ts';

type Commands = Readonly<Record<string, string | Reading>>;

export const LFS: Reading = {
  commands: {
    push: 'git_push network_egress provider_sync_write',
    'pull fetch checkout clone': 'file_write file_delete network_egress',
    'ls-files status env version logs pointer fsck': '',
    'track untrack': 'file_write',
    'lock unlock locks': 'provider_sync_write network_egress',
    'install uninstall update migrate prune dedup': 'file_write file_delete git_commit process_launch',
  },
};

/** Subcommands that send to, or take from, another repository. */
export const EXCHANGE: Commands = {
  push: {
    does: 'git_push network_egress',
    options: 'receive-pack|exec:starter o|push-option:text repo:text signed?:text force-with-lease?:text',
    operands: 'text',
    wordsAreOperands: true,
    read: readRemote,
  },
  'send-pack http-push': {
    does: 'git_push network_egress',
    options: 'receive-pack|exec:starter',
    read: readRemote,
  },
  fetch: {
    does: 'network_egress',
    options:
      'upload-pack:starter o|server-option:text depth:text deepen:text j|jobs:text refmap:text filter:text',
    operands: 'text',
    read: readFetch,
  },
  'fetch-pack http-fetch backfill': {
    does: 'network_egress file_write',
    options: 'upload-pack|exec:starter',
    read: readRemote,
  },
  clone: {
    does: 'network_egress',
    options:
      'u|upload-pack:starter c|config:anything template:launch o|origin:text b|branch:text depth:text reference:look separate-git-dir:write j|jobs:text filter:text server-option:text shallow-since:text shallow-exclude:text',
    operands: 'text write',
    read: readClone,
  },
  remote: {
    commands: {
      'show get-url': { does: 'network_egress' },
      'add set-url rename remove rm set-head set-branches': {
        does: 'file_write',
        options: 'f|fetch!network_egress a|auto!network_egress t:text m:text mirror?:text',
        read: readRemote,
      },
      'prune update': 'network_egress git_commit',
    },
    options: 'v|verbose',
    bare: '',
  },
  'remote-http remote-https remote-ftp remote-ftps': 'git_push network_egress process_launch',
  subtree: {
    commands: {
      push: 'git_push git_commit network_egress',
      pull: { does: 'git_commit file_write network_egress', read: readRemote },
      'add merge split': 'git_commit file_write network_egress',
    },
    options: 'P|prefix:text b|branch:text m|message:text squash',
  },
  lfs: LFS,
  svn: {
    commands: {
      'dcommit set-tree commit-diff branch tag': 'git_push git_commit provider_sync_write network_egress',
      'fetch clone init rebase': 'git_commit file_write network_egress',
      'log info find-rev blame show-ignore': 'network_egress',
    },
  },
  p4: {
    commands: {
      submit: 'git_push git_commit provider_sync_write network_egress process_launch',
      'sync clone rebase': 'git_commit file_write network_egress process_launch',
    },
  },
  'cvsexportcommit imap-send send-email': 'git_push provider_sync_write network_egress process_launch',
  'upload-pack upload-archive receive-pack http-backend daemon instaweb shell cvsserver':
    'process_launch network_egress git_push file_write',
  submodule: {
    commands: {
      'status summary': '',
      foreach: { options: 'recursive', operands: 'text', stops: true, read: readForeach },
      'add update init sync deinit absorbgitdirs set-url set-branch':
        'network_egress file_write file_delete process_launch git_commit',
    },
    options: 'quiet cached recursive',
    bare: '',
  },
};

/** A destination in a refspec moves a branch here. */
function readFetch(call: Call, given: Arguments): void {
  readRemote(call, given);
  if (given.operands.slice(1).some(({ kind, text }) => kind !== 'literal' || text.includes(':')))
    call.add('git_commit');
  if (has(given, 'prune', 'p', 'u', 'update-head-ok', 'refmap', 'stdin')) call.add('git_commit');
}

function readClone(call: Call, given: Arguments): void {
  readRemote(call, given);
  if (given.operands.length < 2) call.write(literal('.'));
}

function readForeach(call: Call, { operands }: Arguments): void {
  const texts = operands.map(({ kind, text }) => (kind === 'literal' ? text : null));
  call.shellText(texts.includes(null) ? null : texts.join(' '));
}
