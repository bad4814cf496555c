import type Anthropic from '@anthropic-ai/sdk';
import type { AnswerDelta, ModelAnswer } from './collect-answer.ts';
import type { ModelEndpoint } from './endpoint.ts';
import { ModelFailure } from './failure.ts';

export type ModelRequest = Omit<Anthropic.MessageCreateParamsStreaming, 'stream'>;

export interface AnswerListener {
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

/** The key stays inside the returned object's closure, so that logging or serializing the client cannot show it. */
export function createModelClient(endpoint: ModelEndpoint): ModelClient {
  if (endpoint.baseUrl === null && endpoint.apiKey === null) return { answer: refuseWithoutKey };
  let loading: Promise<ModelClient> | null = null;
  return {
    answer: async (request, listener, signal) => {
      // The SDK takes longer to load than a server may take to start.
      loading ??= import('./sdk-client.ts').then(({ createSdkClient }) => createSdkClient(endpoint));
      return (await loading).answer(request, listener, signal);
    },
  };
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
