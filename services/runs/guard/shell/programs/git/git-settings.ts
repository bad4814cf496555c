import type { Call } from '../../reading/call.ts';
import { readCode } from '../../reading/code.ts';
import { readAddedTo } from '../../reading/read-assignments.ts';
import { certainStart, dropStart, literalText, type Word } from '../../words/word.ts';

/** Settings that make git run nothing, and send nothing elsewhere. */
const HARMLESS =
  /^(user\.(name|email|signingkey)|author\.\w+|committer\.\w+|color\.[\w.-]+|column\.\w+|advice\.\w+|log\.\w+|status\.\w+|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved\w*|wserrorhighlight|submodule|stat\w+)|merge\.(conflictstyle|ff|renames|log)|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags)|rebase\.(autosquash|autostash|updaterefs)|init\.defaultbranch|commit\.(gpgsign|verbose|cleanup)|tag\.(gpgsign|sort)|branch\.(sort|autosetup\w+)|core\.(quotepath|autocrlf|safecrlf|eol|filemode|ignorecase|abbrev|precomposeunicode|longpaths|commentchar|logallrefupdates|bare|symlinks|untrackedcache|preloadindex|compression|bigfilethreshold)|gc\.auto\w*|protocol\.version|safe\.directory|help\.autocorrect|format\.(pretty|signoff)|grep\.\w+|index\.\w+|feature\.\w+|http\.(version|postbuffer|lowspeed\w+|timeout)|blame\.\w+|stash\.\w+|versionsort\.\w+|rerere\.\w+|submodule\.(recurse|fetchjobs)|maintenance\.auto|pack\.\w+)$/;

/** Settings whose value is a line for a shell. */
const SHELL =
  /^(core\.(pager|editor|sshcommand|askpass|gitproxy|fsmonitor)|sequence\.editor|diff\.external|pager\..+|interactive\.difffilter|(diff|merge)tool\..+\.cmd|gpg\.program|gpg\.\w+\.program|web\.browser)$/;

/** Further settings that name what is run. */
const RUNS = /(command|cmd|textconv|driver|clean|smudge|process|helper|hook|program|editor|pager)$/;

/** Switches, where a setting may be one or a command. */
const SWITCH = /^(true|false|yes|no|on|off|0|1|)$/i;

/** `-c name=value`, which holds for the command alone. */
export function readOneTimeSetting(call: Call, word: Word): void {
  const start = certainStart(word);
  const equals = start.indexOf('=');
  if (equals < 0) {
    HARMLESS.test(start.toLowerCase()) ? undefined : call.anything('sets what git runs');
    return;
  }
  const name = start.slice(0, equals).toLowerCase();
  if (HARMLESS.test(name)) return;
  const value = literalText(dropStart(word, equals + 1));
  if (!SHELL.test(name) || value === null) {
    call.anything('sets what git runs');
    return;
  }
  if (!SWITCH.test(value)) readAddedTo(call, value);
}

/** A setting that is kept, so that a later command of git acts on it. */
export function readSettings(call: Call, name: Word | undefined, value: Word | undefined): void {
  const key = literalText(name)?.toLowerCase() ?? '';
  if (HARMLESS.test(key)) return;
  call.add('process_launch');
  const text = literalText(value);
  if (text === null || SWITCH.test(text)) return;
  const line = text.startsWith('!') ? text.slice(1) : SHELL.test(key) ? text : null;
  if (line !== null) readAddedTo(call, line);
  else if (key.startsWith('alias.')) readAddedTo(call, `git ${text}`);
  else if (RUNS.test(key)) readCode(call, text);
}
