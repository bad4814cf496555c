import type { Clock } from '../../kit/clock.ts';
import { Fault } from '../../kit/fault.ts';
import type { StepContext, StepHost, StepResult } from './engine.ts';
import {
  type Claim,
  completeStep,
  failStep,
  parkStep,
  retryLater,
  suspendStep,
  type Transition,
  waiveStep,
} from './transitions.ts';

/** A claimed step as the journal has it. */
export interface ClaimedStep extends Claim {
  workspaceId: string;
  round: number;
  attempt: number;
  maxAttempts: number;
  timeoutMs: number | null;
  idempotent: boolean;
  /** A body of an earlier claim was cut off, and nobody knows how far it came. */
  interrupted: boolean;
  received: { gate: string; payload: unknown } | null;
}

export interface ExecutionPorts {
  write(transition: Transition): Promise<unknown>;
  host: StepHost;
  clock: Clock;
  retryBaseMs: number;
}

const RETRY_CAP_MS = 60_000;

/**
 * Runs one claimed step to its next transition. Rejects only when the journal itself cannot be written; the step's lease
 * then runs out and it is taken up again.
 */
export async function executeStep(
  ports: ExecutionPorts,
  step: ClaimedStep,
  abort: AbortController,
): Promise<void> {
  const transition = await nextTransition(ports, step, abort);
  if (transition) await ports.write(transition);
}

async function nextTransition(
  ports: ExecutionPorts,
  step: ClaimedStep,
  abort: AbortController,
): Promise<Transition | null> {
  const run = { workspaceId: step.workspaceId, runId: step.runId };
  try {
    const { fence, done } = await ports.host.begin(run, step.step);
    if (done) return completed(ports, step);
    if (step.interrupted && !step.idempotent) return parked(step);
    const result = await callBody(ports.host, step, fence, abort);
    if (result.kind !== 'done') return unfinished(ports, step, result);
    const outcome = await ports.host.commit(run, step.step, fence, result.output);
    return outcome === 'fenced' ? null : completed(ports, step);
  } catch (error) {
    // Stopped or cancelled: the journal already says so, or the next start takes the step up again.
    if (abort.signal.aborted && !isTimeout(abort.signal.reason)) return null;
    return afterError(ports, step, error);
  }
}

async function callBody(
  host: StepHost,
  step: ClaimedStep,
  fence: number,
  abort: AbortController,
): Promise<StepResult> {
  const { workspaceId, runId, round, attempt, received } = step;
  const key = round === 1 ? `${runId}/${step.step}` : `${runId}/${step.step}/${round}`;
  const context: StepContext = {
    ...{ workspaceId, runId, step: step.step, key, round, attempt, fence, received },
    signal: abort.signal,
  };
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abort.signal.reason);
  abort.signal.addEventListener('abort', onAbort);
  const timer = step.timeoutMs === null ? null : setTimeout(() => abort.abort(timeout(step)), step.timeoutMs);
  try {
    abort.signal.throwIfAborted();
    return await Promise.race([host.execute(context), aborted]);
  } finally {
    if (timer) clearTimeout(timer);
    abort.signal.removeEventListener('abort', onAbort);
  }
}

function timeout(step: ClaimedStep): Fault {
  return new Fault('timeout', `Step ${step.step} did not end within ${step.timeoutMs} ms.`);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Fault && reason.code === 'timeout';
}

function completed({ clock }: ExecutionPorts, step: ClaimedStep): Transition {
  return completeStep(step, clock());
}

function parked(step: ClaimedStep): Transition {
  const message = `Step ${step.step} was cut off and may not simply run again: look what it did, then retry or skip it.`;
  return parkStep(step, message);
}

function unfinished(
  { clock }: ExecutionPorts,
  step: ClaimedStep,
  result: Exclude<StepResult, { kind: 'done' }>,
): Transition {
  if (result.kind === 'suspend') return suspendStep(step, result.gate, clock());
  const end = result.kind === 'skipped' ? waiveStep : failStep;
  return end(step, result.message, clock());
}

function afterError({ clock, retryBaseMs }: ExecutionPorts, step: ClaimedStep, error: unknown): Transition {
  const message = error instanceof Error ? error.message : String(error);
  const isFinal = (error instanceof Fault && !error.retryable) || step.attempt >= step.maxAttempts;
  if (isFinal || !step.idempotent) return failStep(step, message, clock());
  const delayMs = Math.min(RETRY_CAP_MS, retryBaseMs * 2 ** (step.attempt - 1));
  return retryLater(step, message, clock() + delayMs);
}
