import { cacheControlCount } from './cache-control.ts';
import { isRecord } from './is-record.ts';
import type { MessagesRequest, OfferedTool } from './messages-request.ts';
import { textOf } from './messages-request.ts';
import { messageProblem, systemProblem } from './validate-blocks.ts';
import { conversationProblem } from './validate-conversation.ts';
import { thinkingProblem } from './validate-thinking.ts';
import { toolChoiceProblem, toolsProblem } from './validate-tools.ts';

const BREAKPOINT_LIMIT = 4;

/** `request` is set exactly when `problem` is null. */
export type Verdict = { problem: null; request: MessagesRequest } | { problem: string; request: null };

function maxTokensProblem(value: unknown): string | null {
  if (value === undefined) return 'max_tokens: Field required';
  if (!Number.isInteger(value)) return 'max_tokens: Input should be a valid integer';
  return Number(value) < 1 ? 'max_tokens: Input should be greater than or equal to 1' : null;
}

function scalarProblem(body: Record<string, unknown>, needsMaxTokens: boolean): string | null {
  const { model, stream, thread } = body;
  if (model === undefined) return 'model: Field required';
  if (typeof model !== 'string' || model === '') return 'model: String should have at least 1 character';
  if (stream !== undefined && typeof stream !== 'boolean') return 'stream: Input should be a valid boolean';
  if (thread !== undefined && thread !== null)
    return 'thread: message threads are not served here, send the whole history';
  return (needsMaxTokens ? maxTokensProblem(body.max_tokens) : null) ?? thinkingProblem(body);
}

function shapeProblem(body: Record<string, unknown>): string | null {
  const { messages } = body;
  const problem = systemProblem(body.system) ?? toolsProblem(body.tools);
  if (problem !== null) return problem;
  if (!Array.isArray(messages)) return 'messages: Field required';
  for (const [at, message] of messages.entries()) {
    const wrong = messageProblem(message, at);
    if (wrong !== null) return wrong;
  }
  return null;
}

function breakpointProblem(request: MessagesRequest): string | null {
  const count = cacheControlCount(request);
  return count > BREAKPOINT_LIMIT
    ? `A maximum of ${BREAKPOINT_LIMIT} blocks with cache_control may be provided. Found ${count}.`
    : null;
}

function namesOf(tools: OfferedTool[] | undefined): Set<string> {
  return new Set(tools?.map((tool) => tool.name));
}

/** Tools held back behind a search are named in a system message and may then be called by name. */
function isNamedBetweenTurns(request: MessagesRequest, name: string): boolean {
  return request.messages.some(
    (message) => message.role === 'system' && textOf(message.content).includes(name),
  );
}

function relationProblem(request: MessagesRequest, offeredBefore: ReadonlySet<string>): string | null {
  const offered = namesOf(request.tools);
  const isKnown = (name: string) =>
    offered.has(name) || offeredBefore.has(name) || isNamedBetweenTurns(request, name);
  return (
    toolChoiceProblem(request.tool_choice, offered) ??
    conversationProblem(request.messages, request.model, isKnown) ??
    breakpointProblem(request)
  );
}

/**
 * Checks a parsed body as the Messages API would.
 * @param offeredBefore tools of earlier requests: a conversation may lose a tool after using it.
 * @param needsMaxTokens false for counting tokens.
 */
export function checkRequest(
  body: unknown,
  offeredBefore: ReadonlySet<string>,
  needsMaxTokens: boolean,
): Verdict {
  if (!isRecord(body)) return { problem: 'The request body must be a JSON object', request: null };
  const problem = scalarProblem(body, needsMaxTokens) ?? shapeProblem(body);
  if (problem !== null) return { problem, request: null };
  // The shape was checked above, field by field.
  const request = body as MessagesRequest;
  const relation = relationProblem(request, offeredBefore);
  return relation === null ? { problem: null, request } : { problem: relation, request: null };
}
