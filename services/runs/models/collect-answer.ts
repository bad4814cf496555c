import type {
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { newId } from '../../kit/id.ts';
import type { AssistantBlock, TokenUsage } from '../harness/journal.ts';
import { ModelFailure } from './failure.ts';

export interface AnswerDelta {
  type: 'text' | 'thinking';
  text: string;
}

/** A whole answer. `usage` is null when the server did not report it. */
export interface ModelAnswer {
  messageId: string;
  content: AssistantBlock[];
  stopReason: string;
  usage: TokenUsage | null;
}

export interface AnswerCollector {
  take(event: RawMessageStreamEvent): void;
  /** @throws ModelFailure when the stream ended before the answer did. */
  finish(): ModelAnswer;
}

interface OpenBlock {
  block: AssistantBlock;
  json: string;
}

interface ReportedUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_creation?: {
    ephemeral_5m_input_tokens?: number | null;
    ephemeral_1h_input_tokens?: number | null;
  } | null;
}

/** No call has as many; a server that says so is not believed, and sums of tokens and money stay exact. */
const MOST_TOKENS = 1_000_000_000;

/** Puts the events of one stream together. */
export function createAnswerCollector(onDelta: (delta: AnswerDelta) => void): AnswerCollector {
  const blocks = new Map<number, OpenBlock>();
  const usages: ReportedUsage[] = [];
  let messageId: string | null = null;
  let stopReason: string | null = null;
  let stopped = false;

  function take(event: RawMessageStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        // Some servers name no message; an answer is kept once for each id.
        messageId = event.message.id || newId('msg');
        usages.push(event.message.usage ?? {});
        break;
      case 'content_block_start': {
        const block = openBlock(event.content_block);
        if (block !== null) blocks.set(event.index, { block, json: '' });
        break;
      }
      case 'content_block_delta': {
        const open = blocks.get(event.index);
        if (open !== undefined) addDelta(open, event.delta, onDelta);
        break;
      }
      case 'message_delta':
        stopReason = event.delta.stop_reason ?? stopReason;
        usages.push(event.usage ?? {});
        break;
      case 'message_stop':
        stopped = true;
        break;
    }
  }

  function finish(): ModelAnswer {
    if (messageId === null || stopReason === null || !stopped) {
      throw new ModelFailure('network', 'The model server ended the stream before the answer was complete.', {
        retryable: true,
      });
    }
    const content = [...blocks.values()].map(closeBlock);
    if (stopReason === 'max_tokens' && content.at(-1)?.type === 'tool_use') content.pop();
    return { messageId, content, stopReason, usage: totalUsage(usages) };
  }

  return { take, finish };
}

function openBlock(start: RawContentBlockStartEvent['content_block']): AssistantBlock | null {
  switch (start.type) {
    case 'text':
      return { type: 'text', text: start.text ?? '' };
    case 'thinking':
      return { type: 'thinking', thinking: start.thinking ?? '', signature: start.signature ?? '' };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: start.data };
    case 'tool_use':
      return { type: 'tool_use', id: start.id, name: start.name, input: start.input };
    default:
      return null;
  }
}

function addDelta(open: OpenBlock, delta: RawContentBlockDelta, onDelta: (delta: AnswerDelta) => void): void {
  const { block } = open;
  if (delta.type === 'text_delta' && block.type === 'text') {
    block.text += delta.text;
    onDelta({ type: 'text', text: delta.text });
  } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    block.thinking += delta.thinking;
    onDelta({ type: 'thinking', text: delta.thinking });
  } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
    block.signature += delta.signature;
  } else if (delta.type === 'input_json_delta') {
    open.json += delta.partial_json;
  }
}

// Arguments that do not parse stay as they were written: the call is answered with an error that quotes them.
function closeBlock({ block, json }: OpenBlock): AssistantBlock {
  if (block.type !== 'tool_use' || json.trim() === '') return block;
  try {
    return { ...block, input: JSON.parse(json) as unknown };
  } catch {
    return { ...block, input: json };
  }
}

// Every report is a running total of the same answer: totals are compared, never added.
function totalUsage(usages: readonly ReportedUsage[]): TokenUsage | null {
  const total = (count: (usage: ReportedUsage) => unknown): number | null =>
    usages.map(count).reduce<number | null>((most, reported) => {
      const isCount = typeof reported === 'number' && reported >= 0 && Math.floor(reported) === reported;
      return isCount ? Math.max(reported, most ?? 0) : most;
    }, null);
  const [input, output] = [total((usage) => usage.input_tokens), total((usage) => usage.output_tokens)];
  const isFinal = typeof usages.at(-1)?.output_tokens === 'number';
  if (input === null || output === null || !isFinal) return null;
  const minutes = total((usage) => usage.cache_creation?.ephemeral_5m_input_tokens) ?? 0;
  const hour = total((usage) => usage.cache_creation?.ephemeral_1h_input_tokens) ?? 0;
  const cacheWrite = total((usage) => usage.cache_creation_input_tokens) ?? minutes + hour;
  const cacheRead = total((usage) => usage.cache_read_input_tokens) ?? 0;
  if (Math.max(input, output, cacheRead, cacheWrite) > MOST_TOKENS) return null;
  const forAnHour = hour > 0 ? { cacheWrite1h: Math.min(hour, cacheWrite) } : {};
  return { input, output, cacheRead, cacheWrite, ...forAnHour };
}
