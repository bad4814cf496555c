import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { moved } from '../reading/paths.ts';
import { readVariable } from '../reading/read-assignments.ts';
import { certainStart, dropStart, literal, literalText, type Word } from '../words/word.ts';
import { joinedText, runInput } from './builtins-running.ts';
import type { Program, Reading } from './program.ts';

/** Runs the command that its operands are, behind options of its own. */
const runs = (options: string, operands = 'command'): Reading => ({
  options,
  operands,
  stops: true,
  strict: true,
});

/** Programs that run another one. */
export const WRAPPERS: readonly Program[] = [
  {
    names: 'env',
    ...runs(
      'i|ignore-environment 0|null u|unset:text C|chdir:text S|split-string:text v|debug a|argv0:text block-signal?:text default-signal?:text ignore-signal?:text list-signal-handling',
      'text',
    ),
    read: readEnv,
  },
  {
    names: 'sudo',
    does: 'process_launch',
    ...runs(
      'A|askpass b|background B|bell E|preserve-env?:text H|set-home i|login k K n|non-interactive N P S|stdin V l|list v|validate s|shell e|edit u|user:text g|group:text h|host:text p|prompt:text C|close-from:text D|chdir:text R|chroot:anything r|role:text t|type:text T|command-timeout:text U|other-user:text',
      'text',
    ),
    read: readSudo,
  },
  {
    names: 'doas',
    does: 'process_launch',
    ...runs('C:anything u:text n L s a:text', 'text'),
    read: readSudo,
  },
  {
    names: 'su runuser',
    does: 'process_launch',
    options:
      'c|command:shell s|shell:launch session-command:shell u|user:text g:text G:text w:text l|login m p P f',
    operands: 'text',
    read: readSu,
  },
  { names: 'pkexec', does: 'process_launch', ...runs('user:text disable-internal-agent keep-cwd') },
  {
    names: 'timeout gtimeout',
    ...runs('k|kill-after:text s|signal:text foreground preserve-status v|verbose p f', 'text command'),
  },
  { names: 'nice gnice', ...runs('n|adjustment:text 0 1 2 3 4 5 6 7 8 9') },
  {
    names: 'nohup setsid fakeroot unbuffer catchsegv torsocks dbus-run-session caffeinate',
    ...runs('c|ctty f|fork w|wait d i m s t:text'),
  },
  { names: 'stdbuf gstdbuf', ...runs('i|input:text o|output:text e|error:text') },
  {
    names: 'time gtime',
    ...runs('p|portability v|verbose a|append q|quiet l h f|format:text o|output:write'),
  },
  { names: 'ionice', ...runs('c|class:text n|classdata:text t|ignore p:text P:text u:text') },
  { names: 'chrt', ...runs('a b d f i m o r R p v T:text P:text D:text', 'text command') },
  { names: 'taskset', ...runs('a|all-tasks p|pid c|cpu-list', 'text command') },
  { names: 'faketime', ...runs('m f', 'text command') },
  { names: 'proxychains proxychains4', does: 'network_egress', ...runs('q f:launch') },
  {
    names: 'xvfb-run',
    ...runs('a|auto-servernum e|error-file:write f|auth-file:write n|server-num:text s|server-args:text l'),
  },
  { names: 'ssh-agent', ...runs('s c k d D t:text a:text E:text P:text') },
  {
    names: 'valgrind',
    does: 'process_launch',
    options: 'log-file:write tool:text',
    operands: 'command',
    stops: true,
  },
  {
    names: 'strace ltrace',
    ...runs(
      'f ff F c C d h i k n N q qq r S t tt ttt T v V w x xx y yy Y z Z A D DD o|output:text e|trace:text p|attach:text s:text u:text a:text b:text I:text O:text X:text P:text l:text E:anything',
    ),
    read: readTracer,
  },
  {
    names:
      'setarch linux32 linux64 i386 x86_64 prlimit choom numactl cgexec eatmydata chronic ifne rlwrap cpulimit setpriv gosu su-exec tini dumb-init dotenv dotenvx hyperfine perf systemd-inhibit daemonize nodemon watchexec concurrently ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1',
    does: 'process_launch',
    operands: 'text',
    read: readLoose,
  },
  { names: 'busybox toybox', ...runs('list help', 'command') },
  {
    names: 'flock',
    ...runs(
      's|shared x|exclusive e u|unlock n|nonblock|nb w|wait|timeout:text E|conflict-exit-code:text o|close F|no-fork verbose c|command:shell',
      'text',
    ),
    read: readFlock,
  },
  {
    names: 'watch',
    ...runs(
      'n|interval:text d?:text t|no-title b|beep e|errexit g|chgexit c|color x|exec p|precise w|no-wrap',
      'text',
    ),
    read: (call, { operands }) => {
      call.command(operands);
      call.shellText(joinedText(operands));
    },
  },
  { names: 'entr', ...runs('a c d n p r s x z', 'text'), read: readEntr },
  {
    names: 'script',
    options:
      'c|command:shell a q e|return f|flush O|log-out:write B|log-io:write I|log-in:write T|log-timing:write t?:write m:text o:text E:text force',
    operands: 'write command',
    stops: true,
    does: 'process_launch file_write',
    read: (call, given) => {
      if (!has(given, 'c')) runInput(call);
    },
  },
  {
    names: 'gdb lldb',
    does: 'process_launch',
    singleDash: true,
    options: 'args:command ex:code eval-command:code iex:code o:code x:launch command:launch s:launch p:text',
    operands: 'command',
    stops: true,
  },
];

/** The command begins at some word that is no option; where options take values, at one of several. */
function readLoose(call: Call): void {
  const starts = call.args.flatMap((word, i) => (/^-|^[\d.,:]+$/.test(word.text) ? [] : [i]));
  for (const at of starts.slice(0, 3)) call.command(call.args.slice(at));
}

/** A mark in front of the file makes it a command that reads the trace. */
function readTracer(call: Call, given: Arguments): void {
  const file = optionValue(given, 'o', 'output');
  const [, mark, line] = /^([|!]?)([\s\S]*)$/.exec(file?.text ?? '') ?? [];
  if (file && mark) call.shellText(file.kind === 'literal' ? line! : null);
  else if (file) call.write(file);
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** Variables in front, then a command; what is left is given back. */
function takeVariables(call: Call, words: readonly Word[]): readonly Word[] {
  for (const [i, word] of words.entries()) {
    const name = ASSIGNMENT.exec(certainStart(word))?.[1];
    if (name === undefined) return words.slice(i);
    readVariable(call, name, dropStart(word, name.length + 1));
  }
  return [];
}

function readEnv(call: Call, given: Arguments): void {
  const split = optionValue(given, 'S');
  const words = [
    ...splitWords(call, split),
    ...given.operands.filter(({ text }, i) => i > 0 || text !== '-'),
  ];
  const command = takeVariables(call, words);
  const folder = optionValue(given, 'C');
  const at = folder ? call.with({ places: moved(folder, call.facts.places) }) : call;
  if (command.length > 0) at.command(command);
  else call.add('secret_access');
}

/** `-S` has quotes and variables of its own; only a text without them is taken apart. */
function splitWords(call: Call, split: Word | null): Word[] {
  if (!split) return [];
  const text = literalText(split);
  if (text !== null && !/['"\\$#]/.test(text))
    return text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => literal(word));
  call.anything('takes a text apart in a way of its own');
  return [];
}

function readSudo(call: Call, given: Arguments): void {
  if (has(given, 'e', 'edit')) for (const word of given.operands) call.write(word);
  const command = takeVariables(call, given.operands);
  if (command.length > 0) call.command(command);
  else if (has(given, 's', 'i', 'login', 'shell')) runInput(call);
}

function readSu(call: Call, given: Arguments): void {
  if (has(given, 'u')) call.command(given.operands);
  else if (!has(given, 'c', 'session-command')) runInput(call);
  const behind = call.args.findIndex((word) => /^--?c(ommand)?$/.test(word.text));
  if (behind >= 0 && call.args[behind + 1]) call.shell(call.args[behind + 1]!);
}

function readFlock(call: Call, { operands: [file, ...rest] }: Arguments): void {
  if (file && !/^\d+$/.test(file.text)) call.write(file);
  const [first, line] = rest;
  if (first && /^(-c|--command)$/.test(first.text)) call.shell(line ?? first);
  else call.command(rest);
}

function readEntr(call: Call, given: Arguments): void {
  if (has(given, 's')) call.shellText(joinedText(given.operands.slice(0, 1)));
  else call.command(given.operands);
}
