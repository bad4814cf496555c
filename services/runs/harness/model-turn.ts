import type { ModelRequest } from '../models/client.ts';
import { ModelFailure } from '../models/failure.ts';
import { upperBoundMicros } from '../models/price.ts';
import { cancelled, shortened, stopped } from './completion.ts';
import type { Conversation } from './conversation.ts';
import type { HarnessJob, HarnessPorts } from './job.ts';
import type { AnswerEntry } from './journal.ts';
import { askModel } from './model-call.ts';
import { budgetNote } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';

/** What the loop works on at one point of the journal. */
export interface LoopState {
  job: HarnessJob;
  conversation: Conversation;
  ports: HarnessPorts;
  signal: AbortSignal;
}

export type ModelTurn =
  | { kind: 'answer'; answer: AnswerEntry }
  /** The server takes no prompt of this size. */
  | { kind: 'tooLong'; message: string }
  /** The server does not take this prompt; `outcome` is the end of the run where nothing can be changed about it. */
  | { kind: 'refused'; message: string; outcome: HarnessOutcome }
  /** There is no answer; the run ends here, or, where `outcome` is null, looks at its journal again. */
  | { kind: 'none'; outcome: HarnessOutcome | null };

/**
 * Reserves what a call can cost, and makes it; the answer is not in the journal yet.
 * @param inputTokens of the prompt, at most
 */
export async function takeModelTurn(
  { job, conversation, ports, signal }: LoopState,
  request: ModelRequest,
  inputTokens: number,
): Promise<ModelTurn> {
  const bound = upperBoundMicros(inputTokens, request.max_tokens, job.model.prices);
  const admission = await ports.journal.reserve(bound);
  if (!admission.admitted) {
    return { kind: 'none', outcome: stopped('paused', 'blocked', 'budget', admission.message) };
  }
  if (admission.wrapUp !== null) {
    await ports.journal.append('run.note', budgetNote(admission.wrapUp));
    return { kind: 'none', outcome: null };
  }
  try {
    return { kind: 'answer', answer: await askModel(job, request, conversation, ports, signal) };
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { kind: 'none', outcome: cancelled() };
    if (!(error instanceof ModelFailure)) throw error;
    if (error.family === 'contextOverflow') return { kind: 'tooLong', message: error.message };
    const outcome = outcomeOf(error);
    return error.family === 'invalidRequest'
      ? { kind: 'refused', message: error.message, outcome }
      : { kind: 'none', outcome };
  }
}

/** What a person can mend or time can heal pauses the run; the rest ends it. */
function outcomeOf({ family, retryable, message }: ModelFailure): HarnessOutcome {
  const summary = shortened(message);
  return retryable || family === 'authentication'
    ? stopped('paused', 'blocked', family, summary)
    : stopped('failed', 'failed', family, summary);
}
