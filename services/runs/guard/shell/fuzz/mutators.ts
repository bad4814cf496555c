import type { Seeded } from './seeded.ts';
import { single, spelled, spelledCommand } from './spelling.ts';

/** Commands that run the command behind them. */
const WRAPPERS: readonly string[][] = [
  ['env'],
  ['env', '-i', 'PATH=$PATH'],
  ['env', '-u', 'A', 'B=c'],
  ['command'],
  ['command', '--'],
  ['builtin', 'command'],
  ['timeout', '20'],
  ['timeout', '-k', '5', '20'],
  ['timeout', '--signal=KILL', '20'],
  ['nice'],
  ['nice', '-n', '5'],
  ['nohup'],
  ['setsid', '-w'],
  ['stdbuf', '-oL'],
  ['xargs'],
  ['xargs', '-r0', '-n', '1', '-P', '2', '-a', '/etc/hostname'],
  ['find', '.', '-maxdepth', '0', '-exec'],
];

/** Runs words in front, with what the wrapper needs around it. */
function wrapped(random: Seeded, words: readonly string[]): string {
  const wrapper = random.pick(WRAPPERS);
  const spell = (word: string) => (word.includes('$') || random.chance(2) ? word : spelled(random, word));
  const line = `${wrapper.map(spell).join(' ')} ${spelledCommand(random, words)}`;
  if (wrapper[0] === 'xargs') return wrapper.length > 1 ? line : `echo | ${line}`;
  return wrapper[0] === 'find' ? `${line} ${random.pick(['\\;', "';'"])}` : line;
}

const SHELLS = [
  'bash -c',
  'bash --norc -c',
  'bash -c --',
  'bash -xc',
  'bash -o pipefail -c',
  '/bin/bash -c',
  'env bash -c',
];
const SHELLS_BEHIND = [
  'timeout 20 bash -c',
  'nice bash -c',
  'find . -maxdepth 0 -exec bash -c',
  'echo | xargs -n1 bash -c',
  'eval',
  'eval --',
];

const unique = (random: Seeded): string => `E${random.below(1_000_000)}`;

/** A line that ends where it seems to, so that more can stand behind it. */
function closed(line: string): string {
  return /[\n#]/.test(line) ? `{\n${line}\n}` : line;
}

const inside = (line: string): string => (/[\n#]/.test(line) ? `\n${line}\n` : ` ${line} `);

type Mutator = (line: string, random: Seeded) => string;

/** Each gives a line that runs the line it is given. */
const MUTATORS: Readonly<Record<string, Mutator>> = {
  subshell: (line) => `(${inside(line)})`,
  group: (line) => `{\n${line}\n}`,
  function: (line) => `f() {\n${line}\n}\nf`,
  'named function': (line) => `function f {\n${line}\n}; f`,
  branch: (line) => `if true; then\n${line}\nfi`,
  condition: (line) => `if\n${line}\nthen :; fi`,
  else: (line) => `if false; then :; elif false; then :; else\n${line}\nfi`,
  while: (line) => `while\n${line}\ndo break; done`,
  until: (line) => `until false; do\n${line}\nbreak; done`,
  for: (line) => `for i in 1; do\n${line}\ndone`,
  counting: (line) => `for ((i=0; i<1; i++)); do\n${line}\ndone`,
  case: (line) => `case a in b) :;; (a|c)\n${line}\n;; esac`,
  not: (line) => `! ${closed(line)}`,
  and: (line) => `true && ${closed(line)}`,
  or: (line) => `false || ${closed(line)}`,
  'and more': (line) => `${closed(line)} && ls || true`,
  before: (line) => `ls; ${line}`,
  after: (line) => `${line}\nls`,
  'behind a success that is turned': (line) => `(! true || ${closed(line)})`,
  'an input of the shell': (line) => `(exec <<< ${single(line)}; bash)`,
  'an input that a group takes': (line) => `(if true; then command exec <<< ${single(line)}; fi; bash)`,
  'a variable in quotes': (line) => `(v=:; export "v=eval"; $v ${single(line)})`,
  'the word before': (line) => `(_=:; : eval; $_ ${single(line)})`,
  'a text in two': (line) => {
    const half = line.length >> 1;
    return `printf %s ${single(line.slice(0, half))} ${single(line.slice(half))} | bash`;
  },
  'a function made of text': (line) => `eval ${single(`f() {\n${line}\n}`)}; f`,
  'another shell': (line) => `bash -c "$(printf %s ${single(line)})"`,
  background: (line) => `${closed(line)} &\nwait`,
  'behind a background': (line) => `ls & ${line}`,
  'into a pipe': (line) => `${closed(line)} | cat`,
  'from a pipe': (line) => `ls | ${closed(line)}`,
  'both outputs into a pipe': (line) => `${closed(line)} |& cat`,
  substitution: (line) => `echo $(${inside(line)})`,
  'quoted substitution': (line) => `: "a$(${inside(line)})b"`,
  backquotes: (line) => `echo \`${line.replace(/[\\`$]/g, '\\$&')}\``,
  assignment: (line) => `x=$(${inside(line)})`,
  'assignment in front': (line) => `x=$(${inside(line)}) ls`,
  'process substitution': (line) => `cat <(${inside(line)})`,
  'condition in brackets': (line) => `[[ -n $(${inside(line)}) ]]`,
  array: (line) => `x=(a $(${inside(line)}))`,
  'a loop over it': (line) => `for i in $(${inside(line)}); do :; done`,
  arithmetic: (line) => `(( 1 + $({\n${line}\n} >&2; echo 1) ))`,
  'here-document': (line, random) => {
    const end = unique(random);
    return `cat <<${end}\na $(\n${line}\n) b\n${end}`;
  },
  'here-document for a shell': (line, random) => {
    const end = unique(random);
    return `bash <<${random.pick([`'${end}'`, `"${end}"`, `\\${end}`])}\n${line}\n${end}`;
  },
  'here-document into a pipe': (line, random) => {
    const end = unique(random);
    return `cat <<'${end}' | bash\n${line}\n${end}`;
  },
  'here-string for a shell': (line) => `bash <<< ${single(line)}`,
  'text into a shell': (line) => `printf '%s\\n' ${single(line)} | bash`,
  'echo into a shell': (line) => `echo ${single(line)} | bash -s`,
  'sourced text': (line) => `source /dev/stdin <<< ${single(line)}`,
  'shell in a shell': (line, random) => `${random.pick(SHELLS)} ${single(line)}`,
  'shell behind a wrapper': (line, random) => {
    const shell = random.pick(SHELLS_BEHIND);
    return `${shell} ${single(line)}${shell.startsWith('find') ? ' \\;' : ''}`;
  },
  'a trap': (line) => `(trap ${single(line)} EXIT)`,
  comments: (line) => `# it's "\n${closed(line)} # it's "`,
  'an unused variable': (line) => `y='a b' z="c"; ${line}`,
  'quotes around': (line) => `: 'a " b' "c ' d" $'e\\' f' \\' \\"; ${line}`,
  'errors away': (line) => `{\n${line}\n} 2>/dev/null`,
  // Bash itself writes a group behind `time` wrongly when it takes a substitution apart.
  timed: (line) => `time ${/[\n#]/.test(line) ? `bash -c ${single(line)}` : line}`,
  executed: (line) => `(exec bash -c ${single(line)})`,
};

const NAMES = Object.keys(MUTATORS);

export interface Mutant {
  line: string;
  how: string[];
}

/** The command of these words, spelled, wrapped and put into structures up to `depth` deep. */
export function mutantOf(random: Seeded, words: readonly string[], depth: number): Mutant {
  const isWrapped = random.chance(3);
  const first = isWrapped ? wrapped(random, words) : spelledCommand(random, words);
  const how = [isWrapped ? 'wrapped' : 'spelled'];
  let line = random.chance(6) && !isWrapped ? `A=b ${first}` : first;
  for (let left = random.below(depth + 1); left > 0; left--) {
    const name = random.pick(NAMES);
    how.push(name);
    line = MUTATORS[name]!(line, random);
  }
  return { line, how };
}
