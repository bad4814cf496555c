import type { MessagesRequest } from './messages-request.ts';
import type { PromptUsage } from './prompt-cache.ts';
import { tokensOf } from './prompt-cache.ts';
import type { ScriptedTurn } from './script.ts';

export type AnswerBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string; citations: null }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

/** Usage in the words of the API; all counts are tokens. */
export interface AnswerUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  output_tokens_details: { thinking_tokens: number };
  server_tool_use: null;
  service_tier: 'standard';
  inference_geo: null;
  speed: null;
}

/** A Messages API answer, as it is sent when not streamed. */
export interface AnswerMessage {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: AnswerBlock[];
  stop_reason: string | null;
  stop_sequence: null;
  stop_details: { type: 'refusal'; category: null; explanation: null } | null;
  container: null;
  diagnostics: null;
  usage: AnswerUsage;
}

/** Gives an id that is new in this process and, by its random end, beyond it. */
export type NewId = (prefix: string) => string;

export function createIds(): NewId {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}_${String(count).padStart(6, '0')}${crypto.randomUUID().slice(0, 8)}`;
  };
}

function blocksOfTurn(turn: ScriptedTurn, newId: NewId): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const { thinking, text } = turn;
  if (thinking !== undefined)
    blocks.push({ type: 'thinking', thinking, signature: btoa(`signed:${Bun.hash(thinking)}`) });
  if (text !== undefined) blocks.push({ type: 'text', text, citations: null });
  for (const { name, input } of turn.tools ?? [])
    blocks.push({ type: 'tool_use', id: newId('toolu'), name, input });
  return blocks;
}

function usageOf(turn: ScriptedTurn, prompt: PromptUsage): AnswerUsage {
  const thinkingTokens = tokensOf(turn.thinking?.length ?? 0);
  const tools = (turn.tools ?? []).map((tool) => tool.name + JSON.stringify(tool.input));
  const said = tokensOf((turn.text ?? '').length + tools.join('').length);
  const written = turn.usage?.cacheWriteTokens ?? prompt.cacheWriteTokens;
  const isHour = prompt.writeTtl === '1h';
  return {
    input_tokens: turn.usage?.inputTokens ?? prompt.inputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: turn.usage?.cacheReadTokens ?? prompt.cacheReadTokens,
    // The API counts at least one token, even for an empty answer.
    output_tokens: turn.usage?.outputTokens ?? Math.max(1, thinkingTokens + said),
    cache_creation: {
      ephemeral_5m_input_tokens: isHour ? 0 : written,
      ephemeral_1h_input_tokens: isHour ? written : 0,
    },
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}

/** The whole answer of a turn to a request. */
export function answerMessage(
  turn: ScriptedTurn,
  request: MessagesRequest,
  prompt: PromptUsage,
  newId: NewId,
): AnswerMessage {
  const stopReason = turn.stopReason ?? (turn.tools?.length ? 'tool_use' : 'end_turn');
  const isRefusal = stopReason === 'refusal';
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: blocksOfTurn(turn, newId),
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: isRefusal ? { type: 'refusal', category: null, explanation: null } : null,
    container: null,
    diagnostics: null,
    usage: usageOf(turn, prompt),
  };
}
