import type { MessageFacts } from '../peers/spaces-port.ts';
import { attachmentLines } from './attachment-lines.ts';

/** Messages of the conversation that a run is shown at most; the rest is a tool call away. */
export const SHOWN_MESSAGES = 30;
const MESSAGE_CHARS = 4_000;
const CONVERSATION_CHARS = 60_000;

export interface ConversationPrompt {
  /** Oldest first. */
  messages: readonly MessageFacts[];
  /** The message that woke the run, which stands last by itself. */
  triggerId: string | null;
  /** Who asks: the author of the trigger or the person behind the request. */
  from: string | null;
  prompt: string;
  nameOf(author: string): string;
}

/** The user's turn: what was said before, with authors, then what is asked now. */
export function conversationPrompt(input: ConversationPrompt): string {
  const before = input.messages.filter((message) => message.id !== input.triggerId);
  const shown = newestWithin(before.map((message) => quoted(message, input.nameOf)));
  if (shown.length === 0) return input.prompt;
  const asked =
    input.from === null ? 'What is asked of you now:' : `${input.nameOf(input.from)} asks you now:`;
  return `The conversation so far, oldest first:\n\n${shown.join('\n\n')}\n\n${asked}\n\n${input.prompt}`;
}

function quoted(message: MessageFacts, nameOf: (author: string) => string): string {
  const kind = message.kind === 'text' ? '' : ` (${message.kind})`;
  const words = message.body.trim() === '' ? [] : [quotedBody(message.body, MESSAGE_CHARS)];
  return [`${nameOf(message.author)}${kind}:`, ...words, ...attachmentLines(message.attachments)].join('\n');
}

/** Somebody's words, set off line by line from what surrounds them. */
export function quotedBody(body: string, mostChars = Number.POSITIVE_INFINITY): string {
  const cut = body.length > mostChars ? '\n[cut]' : '';
  return `${body.slice(0, mostChars).toWellFormed()}${cut}`.replaceAll(/^|(?<=[\v\f\x85])/gm, '> ');
}

function newestWithin(texts: readonly string[]): string[] {
  const shown: string[] = [];
  let chars = 0;
  for (const text of texts.slice(-SHOWN_MESSAGES).reverse()) {
    chars += text.length;
    if (chars > CONVERSATION_CHARS) break;
    shown.unshift(text);
  }
  return shown;
}
