import type { EffectClass } from '../../../../../../core-wasm/core.ts';
import type { Arguments } from '../../reading/arguments.ts';
import type { Call } from '../../reading/call.ts';
import { Findings } from '../../reading/findings.ts';
import { type Compiled, compile } from '../../reading/option-table.ts';
import { moved, type Places } from '../../reading/paths.ts';
import { readTable } from '../../reading/read-program.ts';
import { literalText, type Word } from '../../words/word.ts';
import type { Program } from '../program.ts';
import { EXCHANGE, LFS } from './git-exchange.ts';
import { HISTORY } from './git-history.ts';
import { READING } from './git-reading.ts';
import { readOneTimeSetting } from './git-settings.ts';
import { WORKTREE } from './git-worktree.ts';

const SUBCOMMANDS: Compiled = compile({ commands: { ...READING, ...HISTORY, ...EXCHANGE, ...WORKTREE } });

/** Git: its own options, then a subcommand. One that is not known may be an alias, and so any command. */
export const GIT: readonly Program[] = [
  {
    names: 'git',
    helpBehind: 1,
    options:
      'C:text c:text git-dir:text work-tree:text namespace:text exec-path?:text super-prefix:text config-env:anything attr-source:text list-cmds:text p|paginate P|no-pager bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks no-lazy-fetch no-advice html-path man-path info-path v|version h|help',
    operands: 'text',
    stops: true,
    strict: true,
    read: readGit,
  },
  {
    names: 'gitk git-gui tig lazygit gitui',
    does: 'process_launch git_commit git_push network_egress file_write file_delete',
  },
  { names: 'git-lfs', ...LFS },
  {
    names: 'scalar git-shell git-receive-pack git-upload-pack',
    otherwise: '',
    read: (call) => call.anything('drives git'),
  },
];

const CHANGES: readonly EffectClass[] = ['file_write', 'file_delete', 'git_commit'];

function readGit(call: Call, given: Arguments): void {
  let places: Places = call.facts.places;
  for (const { name, value } of given.options) {
    if (!value) continue;
    if (name === 'c') readOneTimeSetting(call, value);
    if (name === 'exec-path') call.anything('takes the programs of git from elsewhere');
    if (name === 'C') places = moved(value, places);
    if (name === 'git-dir') call.add('process_launch');
    if (name === 'git-dir' || name === 'work-tree') places = movedTo(value, places);
  }
  const [first] = given.operands;
  if (!first) return;
  const findings = new Findings();
  const inner = call.with({ args: given.operands, places, findings });
  readTable(inner, SUBCOMMANDS);
  call.facts.findings.absorb(findings);
  // In a repository elsewhere, what it changes is elsewhere too.
  const changes = findings.classes.some((effect) => CHANGES.includes(effect));
  if (changes && !inner.isInside) call.add('file_write', 'write_outside_worktree');
}

/** Of two places that both count, an unknown one makes both unknown. */
function movedTo(value: Word, places: Places): Places {
  const to = moved(value, places);
  return to === null || places === null || literalText(value) === null ? null : to;
}
