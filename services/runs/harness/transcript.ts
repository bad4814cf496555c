import type Anthropic from '@anthropic-ai/sdk';
import type { ContextPlan } from './context-plan.ts';
import type { CallBlock, Conversation, Turn } from './conversation.ts';
import type { AssistantBlock, ToolFinishedEntry, UserEntry } from './journal.ts';
import { type LoadedMedia, mediaBlocks } from './media-blocks.ts';
import { EMPTY_RESULT, GO_ON, INTERRUPTED } from './notes.ts';
import { summaryTexts } from './summary-texts.ts';

export type RequestMessage = { role: 'user' | 'assistant'; content: Anthropic.ContentBlockParam[] };

/** What a request leaves out of the journal, and what it brings in from elsewhere. */
export interface TranscriptView extends Pick<ContextPlan, 'cleared' | 'thinkingFrom'> {
  media: LoadedMedia;
  /** The model asked; thinking is signed for the model that thought it. */
  modelId: string;
}

/**
 * The messages of the next request, valid for any prefix of a journal: roles alternate, the first and the last are the
 * user's, every call is answered in the next message, results in call order before texts.
 */
export function transcriptOf(conversation: Conversation, view: TranscriptView): RequestMessage[] {
  const { opening, turns, summary } = conversation;
  const summarized = summaryTexts(conversation, summary).map(textBlock);
  const messages: RequestMessage[] = [userMessage([...textBlocks(opening), ...summarized])];
  const first = summary?.turns ?? 0;
  for (const [index, turn] of turns.slice(first).entries()) {
    const keepThinking = first + index >= view.thinkingFrom && turn.answer.model === view.modelId;
    const content = assistantContent(turn.answer.content, keepThinking);
    const reply = [...resultBlocks(turn, view), ...textBlocks(turn.notes)];
    if (content.length === 0) messages.at(-1)?.content.push(...reply);
    else messages.push({ role: 'assistant', content }, userMessage(reply));
  }
  for (const message of messages) {
    if (message.content.length === 0) message.content.push({ type: 'text', text: GO_ON });
  }
  return messages;
}

function userMessage(content: Anthropic.ContentBlockParam[]): RequestMessage {
  return { role: 'user', content };
}

function textBlocks(entries: readonly UserEntry[]): Anthropic.TextBlockParam[] {
  return entries.filter((entry) => !isBlank(entry.text)).map((entry) => textBlock(entry.text));
}

function textBlock(text: string): Anthropic.TextBlockParam {
  return { type: 'text', text: text.toWellFormed() };
}

function resultBlocks(turn: Turn, view: TranscriptView): Anthropic.ToolResultBlockParam[] {
  return turn.calls.map((call) => {
    const result = turn.results.get(call.id);
    const block = { type: 'tool_result' as const, tool_use_id: call.id };
    if (result === undefined) return { ...block, content: INTERRUPTED, is_error: true };
    const content = view.cleared.get(call.id) ?? resultContent(result, view.media);
    return result.isError ? { ...block, content, is_error: true } : { ...block, content };
  });
}

// The content of an error may be text alone.
function resultContent(
  { content, media = [], isError }: ToolFinishedEntry,
  loaded: LoadedMedia,
): string | Exclude<Anthropic.ToolResultBlockParam['content'], string | undefined> {
  if (isError || media.length === 0) return filled(content);
  const text = isBlank(content) ? [] : [textBlock(content)];
  return [...text, ...mediaBlocks(media, loaded)];
}

function filled(content: string): string {
  return isBlank(content) ? EMPTY_RESULT : content.toWellFormed();
}

function assistantContent(
  blocks: readonly AssistantBlock[],
  keepThinking: boolean,
): Anthropic.ContentBlockParam[] {
  const kept = blocks.flatMap((block) => assistantBlock(block, keepThinking));
  // An answer may not end in thinking; one that is nothing else says nothing.
  return kept.slice(0, kept.findLastIndex((block) => !block.type.endsWith('thinking')) + 1);
}

function assistantBlock(block: AssistantBlock, keepThinking: boolean): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text.toWellFormed() }];
    case 'thinking':
      return keepThinking && block.signature !== '' ? [{ ...block }] : [];
    case 'redacted_thinking':
      return keepThinking ? [{ ...block }] : [];
    case 'tool_use':
      return [callBlock(block)];
  }
}

function callBlock(call: CallBlock): Anthropic.ToolUseBlockParam {
  const name = call.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return { type: 'tool_use', id: call.id, name: name === '' ? 'unnamed' : name, input: inputOf(call) };
}

// The API takes objects alone, so arguments that are none are shown inside one.
function inputOf({ input }: CallBlock): Record<string, unknown> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? (input as Record<string, unknown>) : { invalid_arguments: input ?? null };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
