import type { Pipeline } from '../../../core-wasm/core.ts';
import type { Plan, RunRef } from '../engine/engine.ts';

/** One call of a body sends requests and waits at a gate; it never waits for an agent. */
const BODY_TIMEOUT_MS = 5 * 60_000;
const MAX_ATTEMPTS = 20;

/** What the engine needs to know of a pipeline. */
export function planOf(run: RunRef, orchestrationId: string, pipeline: Pipeline): Plan {
  return {
    ...run,
    subject: orchestrationId,
    steps: pipeline.steps.map((step) => ({
      ...{ key: step.key, needs: step.needs, tolerateFailure: step.tolerateFailure },
      // An agent's work is not idempotent, but its step is: the body asks for a run by key, and the run has a journal of its own.
      idempotent: step.idempotent || step.agentId !== null,
      ...{ timeoutMs: BODY_TIMEOUT_MS, maxAttempts: MAX_ATTEMPTS },
    })),
  };
}
