import Anthropic from '@anthropic-ai/sdk';
import { type AnswerDelta, createAnswerCollector, type ModelAnswer } from './collect-answer.ts';
import { ModelFailure, modelFailureOf } from './failure.ts';

export type ModelRequest = Omit<Anthropic.MessageCreateParamsStreaming, 'stream'>;

interface AnswerListener {
  /** The first event of the stream has arrived. */
  started(): void;
  delta(delta: AnswerDelta): void;
}

/** A server that speaks the Messages API. */
export interface ModelClient {
  /**
   * One try of one streamed call.
   * @throws ModelFailure for every failure, or the signal's reason when it was aborted.
   */
  answer(request: ModelRequest, listener: AnswerListener, signal: AbortSignal): Promise<ModelAnswer>;
}

export interface ModelEndpoint {
  /** Null: the provider's own address. */
  baseUrl: string | null;
  apiKey: string | null;
}

/** The key stays inside the returned object's closure, so that logging or serializing the client cannot show it. */
export function createModelClient(endpoint: ModelEndpoint): ModelClient {
  if (endpoint.baseUrl === null && endpoint.apiKey === null) return { answer: refuseWithoutKey };
  const sdk = new Anthropic({
    baseURL: endpoint.baseUrl ?? 'https://api.anthropic.com',
    // Servers of one's own often want none, but the SDK looks for credentials elsewhere when it is given none.
    apiKey: endpoint.apiKey ?? 'none',
    maxRetries: 0,
    logLevel: 'off',
  });
  return { answer: (request, listener, signal) => readAnswer(sdk, request, listener, signal) };
}

async function readAnswer(
  sdk: Anthropic,
  request: ModelRequest,
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  try {
    const stream = await sdk.messages.create({ ...request, stream: true }, { signal });
    const collector = createAnswerCollector((delta) => listener.delta(delta));
    let started = false;
    for await (const event of stream) {
      if (!started) listener.started();
      started = true;
      collector.take(event);
    }
    return collector.finish();
  } catch (error) {
    signal.throwIfAborted();
    throw modelFailureOf(error);
  }
}

function refuseWithoutKey(): Promise<ModelAnswer> {
  return Promise.reject(
    new ModelFailure(
      'authentication',
      'No model key is configured. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own.',
      { retryable: false },
    ),
  );
}
