import { lexer, type Token } from 'marked';
import remend from 'remend';

/** The top of a text's tree: paragraphs, lists, fences… each with the text it was made of. */
export interface Block {
  key: number;
  token: Token;
}

/** Pieces of a text have no other identity than their place in it. */
export function keyed<T>(pieces: readonly T[]): { key: string; piece: T }[] {
  return pieces.map((piece, i) => ({ key: String(i), piece }));
}

/** @param isStreaming completes what has only begun */
export function blocksOf(text: string, isStreaming: boolean): Block[] {
  const whole = isStreaming ? remend(text, { links: true, linkMode: 'text-only', images: true }) : text;
  return lexer(whole, { gfm: true, breaks: true })
    .filter(({ type }) => type !== 'space')
    .map((token, key) => ({ key, token }));
}
