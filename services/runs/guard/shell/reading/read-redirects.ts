import type { Redirect, ShellWord } from '../syntax/statement.ts';
import { expandWhole, expandWord } from '../words/expand.ts';
import { literal, literalText, unknownWords, type Word } from '../words/word.ts';
import { Call, type Input } from './call.ts';
import { type Point, readWords } from './read-words.ts';
import { valuesAt } from './session.ts';

const WRITES = ['>', '>>', '>|', '&>', '&>>', '<>'];
const DESCRIPTOR = /^(\d+-?|-)$/;

/** Adds what redirections write, read and reach. */
export function readRedirects(point: Point, redirects: readonly Redirect[]): void {
  for (const redirect of redirects) {
    const { operator, target, body } = redirect;
    readWords(point, [body ?? target]);
    if (body || operator === '<<<') continue;
    const word = targetWord(point, redirect);
    const call = redirectCall(point, `${operator} ${target.shown}`);
    if (operator === '>&' && !isDescriptor(word)) readExpandedTwice(call, word, target);
    if (operator === '<' || operator === '<>') call.look(word, true);
    if (WRITES.includes(operator) || (operator === '>&' && !isDescriptor(word))) call.write(word);
  }
}

/** Bash expands what stands behind `>&` a second time, and runs the substitutions that its quotes or its value held. */
function readExpandedTwice(call: Call, word: Word, { parts }: ShellWord): void {
  const texts = [word.text, ...parts.map((part) => (part.kind === 'text' ? part.text : ''))];
  if (texts.some((text) => /[$`]/.test(text))) call.anything('expands its target twice');
  else if (word.kind !== 'literal') call.add('process_launch');
}

function isDescriptor(word: Word): boolean {
  return word.kind === 'literal' && DESCRIPTOR.test(word.text);
}

function targetWord({ scope, places, session }: Point, { target }: Redirect): Word {
  const words = expandWord(target, valuesAt(scope, places, session.roots));
  const [only] = words;
  return words.length === 1 && only ? only : unknownWords(target.shown);
}

function redirectCall({ session, places }: Point, shown: string): Call {
  const { findings, roots } = session;
  const inner = { shell: () => undefined, command: () => undefined };
  return new Call({
    ...{ program: literal(''), args: [], shown, places, later: places, roots, findings, inner },
    ...{ input: { kind: 'none' }, posix: false },
  });
}

/** The input that redirections give a command; null where they give none. The last one counts. */
export function inputOf(point: Point, redirects: readonly Redirect[]): Input | null {
  const last = redirects.findLast(givesInput);
  if (!last) return null;
  if (last.body || last.operator === '<<<') {
    const { scope, places, session } = point;
    const text = literalText(expandWhole(last.body ?? last.target, valuesAt(scope, places, session.roots)));
    return text === null ? { kind: 'runtime' } : { kind: 'text', text };
  }
  return { kind: isFile(last.operator, targetWord(point, last)) ? 'file' : 'runtime' };
}

/** `0>&3` makes an input of a descriptor as well. */
export function givesInput({ operator, descriptor }: Redirect): boolean {
  return operator.startsWith('<') ? Number(descriptor) === 0 : descriptor !== '' && Number(descriptor) === 0;
}

/** A file that is there, or not: no descriptor and no pipe. */
function isFile(operator: string, word: Word): boolean {
  if (!/^<>?$/.test(operator) || word.kind === 'runtime') return false;
  return !/^\/(dev|proc)\//.test(word.text) || word.text === '/dev/null';
}
