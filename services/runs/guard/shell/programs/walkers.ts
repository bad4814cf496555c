import type { Arguments } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { certainStart, literalText, unknownWords, type Word } from '../words/word.ts';
import type { Program } from './program.ts';

/** Programs that run a command on what they find or are fed. */
export const WALKERS: readonly Program[] = [
  {
    names: 'xargs gxargs',
    options:
      '0|null r|no-run-if-empty t|verbose x|exit o|open-tty p|interactive a|arg-file:read d|delimiter:text E:text e?:text eof?:text I:text i?:text replace?:text J:text R:text S:text L:text l?:text max-lines?:text n|max-args:text P|max-procs:text s|max-chars:text process-slot-var:text show-limits',
    operands: 'text',
    stops: true,
    strict: true,
    read: readXargs,
  },
  { names: 'find gfind', operands: 'text', stops: true, read: readFind },
  {
    names: 'fd fdfind',
    options:
      'x|exec:command X|exec-batch:command e|extension:text E|exclude:text t|type:text d|max-depth:text S|size:text c|color:text C|base-directory:text search-path:text',
    operands: 'text',
    read: readFd,
  },
  { names: 'parallel sem', operands: 'text', read: (call) => call.anything('makes up command lines') },
];

/** Every word that holds the replaced text is only known at run time; without one, words follow at the end. */
function readXargs(call: Call, given: Arguments): void {
  if (given.operands.length === 0) return;
  const replaced = given.options.find(({ name }) => /^[IiJ]$|^repl/.test(name));
  const mark = replaced ? markOf(replaced.value) : null;
  const words =
    mark === null ? [...given.operands, unknownWords('…')] : given.operands.map((word) => filled(word, mark));
  call.with({ input: { kind: 'runtime' } }).command(words);
}

/** The text that is replaced; empty, and so anywhere, where it is only known at run time. */
const markOf = (value: Word | null): string => (value ? (literalText(value) ?? '') : '{}');

function filled(word: Word, mark: string): Word {
  const at = mark === '' ? 0 : word.text.indexOf(mark);
  return at < 0 ? word : { ...word, kind: 'runtime', text: word.text.slice(0, at) };
}

const RUNS = /^-(exec|execdir|ok|okdir)$/;
const WRITES = /^-(fprint|fprint0|fls|fprintf)$/;
const NAMES = /^-(name|iname|path|ipath|wholename)$/;

function readFind(call: Call): void {
  const words = call.args;
  const roots = words.some(({ text }) => text === '-files0-from') ? [unknownWords('…')] : rootsOf(words);
  if (words.some((word, i) => mayBeTest(word, words[i - 1])))
    call.anything('has a test that is only known at run time');
  const named = words.find((_, i) => NAMES.test(words[i - 1]?.text ?? ''));
  for (const root of roots) call.look(root, false);
  for (const [i, { text }] of words.entries()) {
    const next = words[i + 1];
    if (text === '-delete') for (const found of foundBelow(roots, named)) call.remove(found);
    if (WRITES.test(text) && next) call.write(next);
    if (text === '-files0-from' && next) call.look(next, true);
    if (RUNS.test(text)) runEach(call, commandAt(words, i + 1), foundBelow(roots, named));
  }
}

const TAKES_VALUE =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|regextype|x?type|size|[acm](time|min)|newer\w*|user|group|perm|maxdepth|mindepth|printf|links|inum)$/;

/** A word that is only known at run time may be `-delete`, unless it is the value of a test. */
function mayBeTest(word: Word, before: Word | undefined): boolean {
  if (word.kind !== 'runtime') return false;
  const start = certainStart(word);
  const isValue = !word.many && TAKES_VALUE.test(before?.text ?? '');
  return !isValue && (word.many || start === '' || start.startsWith('-'));
}

function rootsOf(words: readonly Word[]): Word[] {
  const end = words.findIndex(({ text }) => /^([-(!]|\))/.test(text) && !/^-[HLPDO]/.test(text));
  const roots = words.slice(0, end < 0 ? undefined : end).filter(({ text }) => !text.startsWith('-'));
  return roots.length > 0 ? roots : [{ kind: 'literal', text: '.', many: false, pipe: false, shown: '.' }];
}

/** A word for the files that are found, by where they are looked for and how they are named. */
function foundBelow(roots: readonly Word[], named: Word | undefined): Word[] {
  const name = named && named.kind !== 'runtime' ? named.text.replace(/^.*\//, '') : '*';
  return roots.map((root) => {
    if (root.kind === 'runtime') return unknownWords('{}');
    const folder = /^[/~.]/.test(root.text) ? root.text : `./${root.text}`;
    return { kind: 'glob', text: `${folder}/${name}`, many: false, pipe: false, shown: '{}' };
  });
}

function commandAt(words: readonly Word[], from: number): readonly Word[] {
  const rest = words.slice(from);
  const end = rest.findIndex(({ text }, i) => text === ';' || (text === '+' && rest[i - 1]?.text === '{}'));
  return end < 0 ? rest : rest.slice(0, end);
}

function runEach(call: Call, words: readonly Word[], found: readonly Word[]): void {
  for (const file of found) {
    call.command(words.map((word) => (word.text === '{}' ? file : filled(word, '{}'))));
  }
}

/** Paths take the place of `{}`, `{/}` and the like, or come at the end. */
function readFd(call: Call, { command }: Arguments): void {
  const end = command.findIndex(({ text }) => text === ';');
  const words = (end < 0 ? command : command.slice(0, end)).map((word) => filled(word, '{'));
  if (words.length > 0) call.command([...words, unknownWords('…')]);
}
