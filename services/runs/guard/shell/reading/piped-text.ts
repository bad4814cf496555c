import type { Statement } from '../syntax/statement.ts';
import { expandWhole, expandWord } from '../words/expand.ts';
import { literalText } from '../words/word.ts';
import type { Input } from './call.ts';
import type { Scope } from './session.ts';

/** What a statement writes into a pipe, where it is a plain `echo`, `printf` or `cat` of literal text. */
export function pipedText(statement: Statement, { functions, survey }: Scope): Input {
  const unknown: Input = { kind: 'runtime' };
  if (statement.kind !== 'simple' || survey.definesUnseen) return unknown;
  const words = statement.words.flatMap((word) => expandWord(word, () => null)).map(literalText);
  const [name, ...args] = words;
  if (words.includes(null) || !name || functions.has(name) || survey.functions.has(name)) return unknown;
  const text = printed(name, args as string[], statement);
  return text === null ? unknown : { kind: 'text', text };
}

function printed(
  name: string,
  args: string[],
  statement: Extract<Statement, { kind: 'simple' }>,
): string | null {
  const { redirects } = statement;
  if (name === 'cat' && args.length === 0 && redirects.length === 1) {
    const body = redirects[0]?.body;
    return body ? literalText(expandWhole(body, () => null)) : null;
  }
  if (redirects.length > 0) return null;
  if (name === 'echo') return echoed(args);
  return name === 'printf' ? formatted(args) : null;
}

/** Backslashes are taken by some shells and not by others. */
function echoed(args: string[]): string | null {
  const words = args[0] === '-n' ? args.slice(1) : args;
  const text = words.join(' ');
  return words[0]?.startsWith('-') || text.includes('\\') ? null : text;
}

function formatted([format, ...values]: string[]): string | null {
  if (format === undefined || format.startsWith('-')) return null;
  if (/^%s(\\n)?$/.test(format)) return values.join(format.slice(2) && '\n');
  const text = format.replaceAll('\\n', '\n');
  return /[%\\]/.test(text) ? null : text;
}
