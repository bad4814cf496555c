import type Anthropic from '@anthropic-ai/sdk';
import type { AnswerListener, ModelClient, ModelRequest } from './client.ts';
import { createAnswerCollector, type ModelAnswer } from './collect-answer.ts';
import { type ModelEndpoint, secretsOf } from './endpoint.ts';
import { createSdk } from './sdk.ts';
import { modelFailureOf } from './sdk-failure.ts';

/** Calls through the SDK; the retries are the harness's. */
export function createSdkClient(endpoint: ModelEndpoint): ModelClient {
  const sdk = createSdk(endpoint);
  const secrets = secretsOf([endpoint]);
  return {
    answer: async (request, listener, signal) => {
      try {
        return await readAnswer(sdk, request, listener, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw modelFailureOf(error, secrets);
      }
    },
  };
}

async function readAnswer(
  sdk: Anthropic,
  request: ModelRequest,
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const stream = await sdk.messages.create({ ...request, stream: true }, { signal });
  const collector = createAnswerCollector((delta) => listener.delta(delta));
  let started = false;
  for await (const event of stream) {
    if (!started) listener.started();
    started = true;
    collector.take(event);
  }
  return collector.finish();
}
