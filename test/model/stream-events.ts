import type { AnswerBlock, AnswerMessage } from './answer-message.ts';

/** One server-sent event; its `type` is also the event's name. */
export interface StreamEvent {
  type: string;
  [field: string]: unknown;
}

const DEFAULT_CHUNK_CHARS = 24;

/** Pieces of at most `chars` characters; never splits a code point. */
function piecesOf(text: string, chars: number): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${chars}}`, 'gu')) ?? [];
}

function emptyBlock(block: AnswerBlock): AnswerBlock {
  if (block.type === 'text') return { ...block, text: '' };
  return block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} };
}

function deltasOf(block: AnswerBlock, chars: number): StreamEvent[] {
  if (block.type === 'text') return piecesOf(block.text, chars).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'tool_use')
    // The API begins a call with an empty fragment.
    return ['', ...piecesOf(JSON.stringify(block.input), chars)].map((json) => ({
      type: 'input_json_delta',
      partial_json: json,
    }));
  const thoughts = piecesOf(block.thinking, chars).map((thinking) => ({ type: 'thinking_delta', thinking }));
  return [...thoughts, { type: 'signature_delta', signature: block.signature }];
}

function blockEvents(block: AnswerBlock, index: number, chars: number): StreamEvent[] {
  const start = { type: 'content_block_start', index, content_block: emptyBlock(block) };
  const deltas = deltasOf(block, chars).map((delta) => ({ type: 'content_block_delta', index, delta }));
  const opening = index === 0 ? [start, { type: 'ping' }] : [start];
  return [...opening, ...deltas, { type: 'content_block_stop', index }];
}

function endEvents(message: AnswerMessage): StreamEvent[] {
  const { stop_reason, stop_sequence, stop_details, container, usage } = message;
  const total = {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    output_tokens: usage.output_tokens,
    output_tokens_details: usage.output_tokens_details,
    server_tool_use: null,
  };
  const delta = { stop_reason, stop_sequence, stop_details, container };
  return [{ type: 'message_delta', delta, usage: total }, { type: 'message_stop' }];
}

/** The events that stream a message; the usage of `message_delta` is the total, not an increment. */
export function streamEvents(message: AnswerMessage, chunkChars = DEFAULT_CHUNK_CHARS): StreamEvent[] {
  const usage = {
    ...message.usage,
    output_tokens: 1,
    output_tokens_details: { thinking_tokens: 0 },
  };
  const started = { ...message, content: [], stop_reason: null, stop_details: null, usage };
  return [
    { type: 'message_start', message: started },
    ...message.content.flatMap((block, index) => blockEvents(block, index, chunkChars)),
    ...endEvents(message),
  ];
}

/** The event as it goes over the wire. */
export function encodeEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
