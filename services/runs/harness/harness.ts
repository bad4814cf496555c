import { Fault } from '../../kit/fault.ts';
import { ask, makeRoom } from './ask.ts';
import { cancelled, shortened, stopped } from './completion.ts';
import { readConversation } from './conversation.ts';
import type { HarnessJob, HarnessPorts } from './job.ts';
import type { LoopState } from './model-turn.ts';
import { nextStep, type Step } from './next-step.ts';
import type { HarnessOutcome } from './outcome.ts';
import { schemaProblem } from './output-schema.ts';
import { withStanding } from './standing.ts';
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
    const outcome = await takeStep(step, { job, conversation, ports, signal });
    if (outcome !== null) return withStanding(job, conversation, outcome);
  }
}

/** Null when the run goes on. */
async function takeStep(step: Step, state: LoopState): Promise<HarnessOutcome | null> {
  const { ports, signal } = state;
  switch (step.kind) {
    case 'end':
      return end(step.outcome, ports);
    case 'note':
      await ports.journal.append(step.note.cause === 'prompt' ? 'run.prompt' : 'run.note', step.note);
      return null;
    case 'calls':
      return callTools(step, ports, signal);
    case 'makeRoom':
      return makeRoom(state);
    case 'ask':
      return ask(state);
  }
}

/** A run that would be done first looks whether somebody wrote to it meanwhile. */
async function end(outcome: HarnessOutcome, { journal }: HarnessPorts): Promise<HarnessOutcome | null> {
  return outcome.status === 'completed' && (await journal.takeMessages()) ? null : outcome;
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
