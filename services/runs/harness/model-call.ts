import pRetry from 'p-retry';
import { newId } from '../../kit/id.ts';
import type { ModelRequest } from '../models/client.ts';
import type { AnswerDelta, ModelAnswer } from '../models/collect-answer.ts';
import { ModelFailure } from '../models/failure.ts';
import { costMicros } from '../models/price.ts';
import type { Conversation } from './conversation.ts';
import { DEFAULT_RETRY, type HarnessJob, type HarnessPorts, type RetryPolicy } from './job.ts';
import type { AnswerEntry, AssistantBlock } from './journal.ts';

/**
 * Asks the model, trying again as the policy allows; nothing of a failed try is kept.
 * @throws ModelFailure of the last try, or the signal's reason.
 */
export function askModel(
  job: HarnessJob,
  request: ModelRequest,
  conversation: Conversation,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<AnswerEntry> {
  const policy = ports.retry ?? DEFAULT_RETRY;
  return pRetry(() => tryOnce(job, request, conversation, ports, signal), {
    retries: policy.tries - 1,
    minTimeout: policy.minDelayMs,
    maxTimeout: policy.maxDelayMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => mayRetry(error, policy),
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft, retryDelay }) => {
      if (retriesLeft === 0 || !mayRetry(error, policy)) return;
      // The server's wish comes first; the jittered delay that follows keeps runs from coming back all at once.
      const askedMs = error.retryAfterMs ?? 0;
      const { family: errorFamily, message } = error;
      ports.log.warn({ runId: job.runId, errorFamily, attempt: attemptNumber }, message);
      ports.events.retrying({
        attempt: attemptNumber,
        errorFamily,
        message,
        delayMs: askedMs + retryDelay,
      });
      await pause(askedMs, signal);
    },
  });
}

function mayRetry(error: Error, policy: RetryPolicy): error is ModelFailure {
  return (
    error instanceof ModelFailure && error.retryable && (error.retryAfterMs ?? 0) <= policy.maxRetryAfterMs
  );
}

async function tryOnce(
  job: HarnessJob,
  request: ModelRequest,
  conversation: Conversation,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<AnswerEntry> {
  const startedAt = ports.clock();
  let firstByteMs: number | null = null;
  const listener = {
    started: () => {
      firstByteMs = ports.clock() - startedAt;
    },
    delta: (delta: AnswerDelta) => ports.events.delta(delta),
  };
  const answer = await ports.client.answer(request, listener, signal);
  checkIsNew(answer, conversation);
  return { ...answerEntry(job, answer, conversation), durationMs: ports.clock() - startedAt, firstByteMs };
}

// A repeated id would count once and leave the conversation where it was: asking on would never end.
function checkIsNew(answer: ModelAnswer, { known }: Conversation): void {
  if (!known.messageIds.has(answer.messageId)) return;
  throw new ModelFailure('network', `The model server sent the answer ${answer.messageId} again.`, {
    retryable: true,
  });
}

function answerEntry(
  job: HarnessJob,
  answer: ModelAnswer,
  conversation: Conversation,
): Omit<AnswerEntry, 'durationMs' | 'firstByteMs'> {
  return {
    kind: 'answer',
    messageId: answer.messageId,
    model: job.model.id,
    content: withUniqueCallIds(answer.content, conversation),
    stopReason: answer.stopReason,
    usage: answer.usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    costMicros: answer.usage === null ? null : costMicros(answer.usage, job.model.prices),
  };
}

const CALL_ID = /^[a-zA-Z0-9_-]{1,128}$/;

// Results are kept by call id, and some servers count their calls from one in every answer.
export function withUniqueCallIds(
  content: readonly AssistantBlock[],
  { known }: Pick<Conversation, 'known'>,
): AssistantBlock[] {
  const used = new Set(known.callIds);
  return content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const id = CALL_ID.test(block.id) && !used.has(block.id) ? block.id : newId('call');
    used.add(id);
    return { ...block, id };
  });
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs === 0 || signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
