import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../models/client.ts';
import { callsToClear, tokensUpperBound } from './compaction.ts';
import type { Conversation } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { HarnessTool } from './tool-port.ts';
import { type RequestMessage, transcriptOf } from './transcript.ts';

const EPHEMERAL = { type: 'ephemeral' } as const;
const ANSWER_TOKENS = 16_384;
/** Thinking counts as output, and much effort thinks much. */
const LONG_ANSWER_TOKENS = 32_768;
const HIGH_EFFORTS = ['high', 'xhigh', 'max'];

export interface BuiltRequest {
  request: ModelRequest;
  /** An upper bound of the prompt's tokens. */
  inputTokens: number;
}

/** The next request: the whole conversation, with the parts that stay the same marked for the prompt cache. */
export function buildRequest(
  job: HarnessJob,
  tools: readonly HarnessTool[],
  conversation: Conversation,
): BuiltRequest {
  const maxTokens = answerTokens(job);
  const whole = assemble(job, tools, conversation, maxTokens, new Set());
  const inputTokens = tokensOf(whole);
  const limit = (job.contextTokens ?? job.model.contextTokens) - maxTokens;
  const cleared = callsToClear(conversation, inputTokens, limit);
  if (cleared.size === 0) return { request: whole, inputTokens };
  const request = assemble(job, tools, conversation, maxTokens, cleared);
  return { request, inputTokens: tokensOf(request) };
}

function answerTokens(job: HarnessJob): number {
  const wanted = HIGH_EFFORTS.includes(job.effort ?? '') ? LONG_ANSWER_TOKENS : ANSWER_TOKENS;
  const window = job.contextTokens ?? job.model.contextTokens;
  return Math.max(1, Math.min(wanted, job.model.maxOutputTokens, Math.floor(window / 2)));
}

function assemble(
  job: HarnessJob,
  tools: readonly HarnessTool[],
  conversation: Conversation,
  maxTokens: number,
  clearedCalls: ReadonlySet<string>,
): ModelRequest {
  const system = systemBlocks(job.system);
  return {
    model: job.model.id,
    max_tokens: maxTokens,
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools: toolParams(tools) } : {}),
    messages: withCacheMarks(transcriptOf(conversation, { clearedCalls, modelId: job.model.id })),
    ...thinkingParams(job),
    metadata: { user_id: job.runId },
  };
}

function tokensOf({ system, tools, messages }: ModelRequest): number {
  return tokensUpperBound(JSON.stringify({ system, tools, messages }));
}

function systemBlocks(pieces: HarnessJob['system']): Anthropic.TextBlockParam[] {
  const filled = pieces.filter((piece) => piece.text.trim() !== '');
  const lastStable = filled.findLastIndex((piece) => piece.cache);
  return filled.map(({ text }, index) => ({
    type: 'text',
    text: text.toWellFormed(),
    ...(index === lastStable ? { cache_control: EPHEMERAL } : {}),
  }));
}

function toolParams(tools: readonly HarnessTool[]): Anthropic.Tool[] {
  return tools.map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
    ...(index === tools.length - 1 ? { cache_control: EPHEMERAL } : {}),
  }));
}

// The newest user message is written to the cache, and the one before it is read: with many results in one message the
// server would not look back far enough by itself.
function withCacheMarks(messages: RequestMessage[]): RequestMessage[] {
  const marked = new Set(messages.filter((message) => message.role === 'user').slice(-2));
  return messages.map((message) =>
    marked.has(message)
      ? {
          ...message,
          content: message.content.map((block, index) =>
            index === message.content.length - 1
              ? ({ ...block, cache_control: EPHEMERAL } as Anthropic.ContentBlockParam)
              : block,
          ),
        }
      : message,
  );
}

function thinkingParams(job: HarnessJob): Pick<ModelRequest, 'thinking' | 'output_config'> {
  const levels = job.model.effort;
  if (levels.length === 0) return {};
  const thinking = { type: 'adaptive', display: 'summarized' } as const;
  if (job.effort === null || !levels.includes(job.effort)) return { thinking };
  return { thinking, output_config: { effort: job.effort as NonNullable<Anthropic.OutputConfig['effort']> } };
}
