import { Fault } from '../../kit/fault.ts';
import { ModelFailure } from '../models/failure.ts';
import { upperBoundMicros } from '../models/price.ts';
import { shortened, stopped } from './completion.ts';
import { type Conversation, readConversation } from './conversation.ts';
import type { HarnessJob, HarnessPorts } from './job.ts';
import type { Admission } from './journal.ts';
import { askModel } from './model-call.ts';
import { nextStep, type Step } from './next-step.ts';
import { budgetNote } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';
import { schemaProblem } from './output-schema.ts';
import { buildRequest } from './request.ts';
import { runCalls, ToolsUnreachable } from './tool-calls.ts';

export type { HarnessJob, HarnessPorts } from './job.ts';
export type { HarnessOutcome } from './outcome.ts';

/**
 * Runs a job to its end, or to where it has to wait. The journal alone says where the run stands, so the same call goes
 * on with a run that was paused, suspended or cut off by a crash. Failures of the model and of tools, and a cancel
 * through the signal, are outcomes.
 * @throws what the journal threw: then nothing is known to have been kept.
 */
export async function runHarness(
  job: HarnessJob,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<HarnessOutcome> {
  const problem = job.outputSchema === null ? null : schemaProblem(job.outputSchema);
  if (problem !== null) {
    return stopped('failed', 'failed', 'invalidRequest', `The output schema cannot be used: ${problem}`);
  }
  if (job.effort !== null && !job.model.effort.includes(job.effort)) {
    ports.log.warn(
      { runId: job.runId, model: job.model.id, effort: job.effort },
      'the model has no such effort',
    );
  }
  for (;;) {
    if (signal.aborted) return cancelled();
    const conversation = readConversation(await ports.journal.load());
    const step = nextStep(job, ports.tools.tools, conversation);
    const outcome = await takeStep(step, job, conversation, ports, signal);
    if (outcome !== null) return outcome;
  }
}

/** Null when the run goes on. */
async function takeStep(
  step: Step,
  job: HarnessJob,
  conversation: Conversation,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<HarnessOutcome | null> {
  switch (step.kind) {
    case 'end':
      return step.outcome;
    case 'note':
      await ports.journal.append(step.note.cause === 'prompt' ? 'run.prompt' : 'run.note', step.note);
      return null;
    case 'calls':
      return callTools(step, ports, signal);
    case 'ask':
      return ask(job, conversation, ports, signal);
  }
}

async function callTools(
  step: Extract<Step, { kind: 'calls' }>,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<HarnessOutcome | null> {
  try {
    const waitingFor = await runCalls(step.calls, step.turn, ports, signal);
    return waitingFor === null ? null : suspended(waitingFor);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return cancelled();
    if (!(error instanceof ToolsUnreachable)) throw error;
    ports.log.error({ err: error }, 'tools cannot be reached');
    const summary = shortened(error.message);
    return error.cause instanceof Fault && error.cause.retryable
      ? stopped('paused', 'blocked', 'toolFailure', summary)
      : stopped('failed', 'failed', 'toolFailure', summary);
  }
}

async function ask(
  job: HarnessJob,
  conversation: Conversation,
  ports: HarnessPorts,
  signal: AbortSignal,
): Promise<HarnessOutcome | null> {
  const { request, inputTokens } = buildRequest(job, ports.tools.tools, conversation);
  const bound = upperBoundMicros(inputTokens, request.max_tokens, job.model.prices);
  const admission = await ports.journal.reserve(bound);
  if (!admission.admitted) return refusedByBudget(admission);
  if (admission.wrapUp !== null) {
    await ports.journal.append('run.note', budgetNote(admission.wrapUp));
    return null;
  }
  const answer = await askModel(job, request, conversation, ports, signal).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return cancelled();
    if (error instanceof ModelFailure) return outcomeOf(error);
    throw error;
  });
  if ('status' in answer) return answer;
  await ports.journal.answer(answer);
  return null;
}

function refusedByBudget(admission: Extract<Admission, { admitted: false }>): HarnessOutcome {
  return stopped('paused', 'blocked', 'budget', admission.message);
}

/** What a person can mend or time can heal pauses the run; the rest ends it. */
function outcomeOf({ family, retryable, message }: ModelFailure): HarnessOutcome {
  const summary = shortened(message);
  return retryable || family === 'authentication'
    ? stopped('paused', 'blocked', family, summary)
    : stopped('failed', 'failed', family, summary);
}

function suspended(waitingFor: string): HarnessOutcome {
  return {
    status: 'suspended',
    liveness: 'waiting',
    errorFamily: null,
    summary: 'The run waits for a person.',
    output: null,
    waitingFor,
  };
}

function cancelled(): HarnessOutcome {
  return stopped('cancelled', 'failed', 'cancelled', 'The run was cancelled.');
}
