import { lexer, type Token } from 'marked';
import remend from 'remend';

/** The top of a text's tree: a paragraph, a list, a fence… */
interface Block {
  token: Token;
  /** Where it ends in the text. */
  end: number;
}

export interface Parsed {
  /** With what had only begun completed. */
  text: string;
  blocks: readonly Block[];
}

/** What comes can still change so many of the last blocks: a list goes on after an empty line. */
const UNSETTLED = 2;

/**
 * A text as blocks. Of one that grows only the end is read again: what stands before it stays the same object.
 * @param isStreaming completes what has only begun
 * @param before what was read of the same text when it was shorter
 */
export function parsed(raw: string, isStreaming: boolean, before?: Parsed): Parsed {
  const plain = raw.replaceAll('\r\n', '\n');
  const text = isStreaming ? remend(withoutBegunTable(plain), { linkMode: 'text-only' }) : plain;
  const blocks = isStreaming && before ? keptOf(before, text) : [];
  let end = blocks.at(-1)?.end ?? 0;
  for (const token of lexer(text.slice(end), { gfm: true, breaks: true })) {
    end += token.raw.length;
    if (token.type !== 'space') blocks.push({ token, end });
  }
  return { text, blocks };
}

/** A table's first line is none before the second is there: until then its bars would show. */
function withoutBegunTable(text: string): string {
  const begun = /(?:^|\n)\|[^\n]*(?:\n[|:\- ]*)?$/.exec(text);
  if (begun === null) return text;
  const before = text.slice(0, begun.index);
  return /(?:^|\n)\|[^\n]*$/.test(before) ? text : before;
}

function keptOf({ text, blocks }: Parsed, now: string): Block[] {
  const kept = blocks.slice(0, -UNSETTLED);
  return now.startsWith(text.slice(0, kept.at(-1)?.end ?? 0)) ? kept : [];
}

/** Pieces of a text have no other identity than their place in it. */
export function keyed<T>(pieces: readonly T[]): { key: string; piece: T }[] {
  return pieces.map((piece, i) => ({ key: String(i), piece }));
}
