import { type Arguments, has } from '../../reading/arguments.ts';
import type { Call } from '../../reading/call.ts';
import { literalText } from '../../words/word.ts';
import type { Reading } from '../program.ts';

type Commands = Readonly<Record<string, string | Reading>>;

const SHOWS =
  'output:write ext-diff!process_launch show-signature!process_launch S:text G:text n|max-count:text L:text O:text U|unified:text format:text pretty:text grep:text author:text committer:text since:text until:text after:text before:text date:text diff-filter:text stat?:text word-diff?:text color?:text skip:text not:text glob:text exclude:text abbrev?:text decorate?:text find-object:text encoding:text';

/** Subcommands that only read, with the options of theirs that do more. */
export const READING: Commands = {
  'log show diff whatchanged diff-tree diff-index diff-files range-diff shortlog cherry reflog-show': {
    options: SHOWS,
    operands: 'read',
  },
  'status blame annotate rev-parse rev-list ls-files ls-tree describe name-rev merge-base for-each-ref show-ref show-branch count-objects var version check-ignore check-attr check-ref-format check-mailmap get-tar-commit-id patch-id stripspace show-index fmt-merge-msg unpack-objects-n':
    { options: 'contents:look format:text sort:text' },
  'verify-commit verify-tag verify-pack': 'process_launch',
  help: {
    options: 'i|info!process_launch m|man!process_launch w|web!process_launch a g c v',
    operands: 'text',
  },
  'cat-file': { options: 'textconv!process_launch filters!process_launch' },
  grep: {
    options: `O|open-files-in-pager?:shell e:text f:read A:text B:text C:text m:text max-depth:text threads:text`,
    operands: 'text read',
    read: readGrep,
  },
  column: { options: 'command:anything' },
  'interpret-trailers': { options: 'in-place!file_write trailer:text', operands: 'read' },
  fsck: { options: 'lost-found!file_write' },
  'hash-object': { options: 'w!file_write t:text path:look', operands: 'look' },
  'merge-tree merge-base-tree': 'file_write',
  'request-pull ls-remote': {
    does: 'network_egress',
    options: 'upload-pack|exec:starter sort:text o|server-option:text',
    read: readRemote,
  },
  'bugreport diagnose': { does: 'file_write', options: 'o|output-directory:write s|suffix:text' },
  archive: {
    options: 'o|output:write format:text prefix:text remote:text!network_egress exec:starter add-file:read',
    read: readRemote,
  },
  'format-patch': {
    options: `${SHOWS} o|output-directory:write stdout`,
    read: (call, given) => {
      if (!has(given, 'stdout')) call.add('file_write');
    },
  },
  bundle: {
    commands: {
      create: { operands: 'out look' },
      'verify list-heads': { operands: 'read' },
      unbundle: 'git_commit',
    },
  },
  'fast-export': { options: 'export-marks:write import-marks:read' },
  'unpack-file': 'file_write',
  difftool: { does: 'process_launch', options: 'x|extcmd:shell t|tool:text' },
  mergetool: { does: 'process_launch file_write', options: 't|tool:text' },
  'gui citool gitk': 'process_launch git_commit git_push network_egress',
};

/** `-O` opens what is found in a pager; without a value in one that is configured. */
function readGrep(call: Call, given: Arguments): void {
  if (given.options.some(({ name, value }) => /^(O|open.*)$/.test(name) && !value))
    call.add('process_launch');
  if (has(given, 'no-index') && given.operands.length > 1) call.look(given.operands.at(-1)!, true);
}

/** An address such as `ext::sh -c …` names a command, and words that are not known yet may be options. */
export function readRemote(call: Call, { operands, options, uncertain }: Arguments): void {
  const words = [...operands, ...options.flatMap(({ value }) => (value ? [value] : []))];
  if (words.some(({ text }) => /^[\w+.-]*::/.test(text) && !/^https?::/.test(text))) {
    call.anything('names a transport that runs commands');
  }
  const first = operands[0];
  if (uncertain && first && literalText(first) === null && first.many) {
    call.anything('has arguments only known at run time');
  }
}
