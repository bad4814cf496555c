import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../models/client.ts';
import type { ContextFrame, ContextPlan } from './context-plan.ts';
import type { Conversation } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { LoadedMedia } from './media-blocks.ts';
import { tokensUpperBound } from './token-bounds.ts';
import type { HarnessTool } from './tool-port.ts';
import { type RequestMessage, transcriptOf } from './transcript.ts';

const EPHEMERAL = { type: 'ephemeral' } as const;
const ANSWER_TOKENS = 16_384;
/** Thinking counts as output, and much effort thinks much. */
const LONG_ANSWER_TOKENS = 32_768;
const HIGH_EFFORTS = ['high', 'xhigh', 'max'];

/** The room that a conversation of this job has, in tokens. */
export function frameOf(job: HarnessJob, tools: readonly HarnessTool[]): ContextFrame {
  const fixed = tokensUpperBound(
    JSON.stringify({ system: systemBlocks(job.system), tools: toolParams(tools) }),
  );
  return { window: windowOf(job), answer: answerTokens(job), fixed, modelId: job.model.id };
}

/** The next request: the whole conversation, with the parts that stay the same marked for the prompt cache. */
export function buildRequest(
  job: HarnessJob,
  tools: readonly HarnessTool[],
  conversation: Conversation,
  plan: Pick<ContextPlan, 'cleared' | 'thinkingFrom'>,
  media: LoadedMedia,
): ModelRequest {
  const system = systemBlocks(job.system);
  const view = { cleared: plan.cleared, thinkingFrom: plan.thinkingFrom, media, modelId: job.model.id };
  return {
    model: job.model.id,
    max_tokens: answerTokens(job),
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools: toolParams(tools) } : {}),
    messages: withCacheMarks(transcriptOf(conversation, view)),
    ...thinkingParams(job),
    metadata: { user_id: job.runId },
  };
}

function windowOf(job: HarnessJob): number {
  return job.contextTokens ?? job.model.contextTokens;
}

function answerTokens(job: HarnessJob): number {
  const wanted = HIGH_EFFORTS.includes(job.effort ?? '') ? LONG_ANSWER_TOKENS : ANSWER_TOKENS;
  return Math.max(1, Math.min(wanted, job.model.maxOutputTokens, Math.floor(windowOf(job) / 2)));
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
