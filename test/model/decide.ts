import type { NewId } from './answer-message.ts';
import { answerMessage } from './answer-message.ts';
import type { ChosenTurn } from './choose-turn.ts';
import { chooseTurn, NoTurnError } from './choose-turn.ts';
import type { Delivery } from './delivery.ts';
import { deliveryOf, errorDelivery } from './delivery.ts';
import type { FaultCounter } from './fault-counter.ts';
import type { MessagesRequest } from './messages-request.ts';
import type { OfferedModel } from './offered-models.ts';
import { modelPage } from './offered-models.ts';
import type { PromptCache } from './prompt-cache.ts';
import { promptTokens } from './prompt-cache.ts';
import type { ModelScript } from './script.ts';
import { checkRequest } from './validate-request.ts';

/** What the server keeps between requests; the progress of a conversation is not among it. */
export interface ModelState {
  script: ModelScript;
  faults: FaultCounter;
  cache: PromptCache;
  /** Names of all tools offered so far. */
  offeredTools: Set<string>;
  models: readonly OfferedModel[];
  /** Prompts that are longer are refused. */
  contextTokens: number;
  newId: NewId;
}

/** What to send and what to record about it. */
export interface Decision {
  delivery: Delivery;
  dialogue: string | null;
  turn: number;
  problem: string | null;
  delayMs: number;
  chunkDelayMs: number;
}

const NO_PROMPT = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, writeTtl: '5m' } as const;

function plain(delivery: Delivery, problem: string | null = null): Decision {
  return { delivery, dialogue: null, turn: -1, problem, delayMs: 0, chunkDelayMs: 0 };
}

/** A refusal: its message is also the recorded problem. */
export function refusal(delivery: Delivery): Decision {
  return plain(delivery, delivery.kind === 'error' ? delivery.message : null);
}

function answer(state: ModelState, request: MessagesRequest, chosen: ChosenTurn): Decision {
  const turn = chosen.answer;
  const fault = state.faults.next(chosen, request);
  // A request refused by its status never reaches the cache.
  const usage = fault?.kind === 'status' ? NO_PROMPT : state.cache.charge(request);
  const message = answerMessage(turn, request, usage, state.newId);
  const options = { isStreamed: request.stream === true, chunkChars: turn.chunkChars };
  return {
    delivery: deliveryOf(message, fault, options),
    dialogue: chosen.dialogue,
    turn: chosen.turn,
    problem: null,
    delayMs: turn.delayMs ?? 0,
    chunkDelayMs: turn.chunkDelayMs ?? 0,
  };
}

function decideMessage(state: ModelState, request: MessagesRequest): Decision {
  for (const tool of request.tools ?? []) state.offeredTools.add(tool.name);
  try {
    return answer(state, request, chooseTurn(state.script, request));
  } catch (error) {
    // A status that clients do not retry: a gap in the script is to be seen at once.
    const message = error instanceof Error ? error.message : String(error);
    const known = error instanceof NoTurnError ? { dialogue: error.dialogue, turn: error.turn } : undefined;
    return { ...refusal(errorDelivery(400, `Script: ${message}`)), ...known };
  }
}

function decidePost(state: ModelState, path: string, body: unknown): Decision {
  const isCount = path === '/v1/messages/count_tokens';
  const verdict = checkRequest(body, state.offeredTools, !isCount);
  if (verdict.problem !== null) return refusal(errorDelivery(400, verdict.problem));
  const tokens = promptTokens(verdict.request);
  if (isCount) return plain({ kind: 'json', body: { input_tokens: tokens }, cut: false });
  if (tokens <= state.contextTokens) return decideMessage(state, verdict.request);
  const problem = `prompt is too long: ${tokens} tokens > ${state.contextTokens} maximum`;
  return refusal(errorDelivery(400, problem));
}

/** Decides about a request whose access was granted and whose body, if any, was JSON. */
export function decide(state: ModelState, method: string, path: string, body: unknown): Decision {
  if (method === 'POST' && (path === '/v1/messages' || path === '/v1/messages/count_tokens'))
    return decidePost(state, path, body);
  if (method === 'GET' && path === '/v1/models')
    return plain({ kind: 'json', body: modelPage(state.models), cut: false });
  const model = state.models.find(({ id }) => path === `/v1/models/${id}`);
  if (method === 'GET' && model) return plain({ kind: 'json', body: model, cut: false });
  return refusal(errorDelivery(404, `No such path: ${method} ${path}`));
}
