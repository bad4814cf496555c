/** One pipeline run, in the database of its workspace. */
export interface RunRef {
  workspaceId: string;
  runId: string;
}

const STEP_STATES = [
  'blocked',
  'ready',
  'running',
  'waiting',
  'done',
  'failed',
  'skipped',
  'cancelled',
  'parked',
] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface PlanStep {
  key: string;
  needs: readonly string[];
  /** Whether the body may simply run again after a crash. A body that may not is parked for a person instead. */
  idempotent: boolean;
  /** Runs when its needs are settled, failed and skipped ones included. */
  tolerateFailure: boolean;
  /** Longest time of one call of the body; null for no limit. */
  timeoutMs: number | null;
  maxAttempts: number;
}

export interface Plan extends RunRef {
  /** Whose run it is; stands in every event. */
  subject: string;
  steps: readonly PlanStep[];
}

/**
 * Decides when a step runs; never owns a result. Every method may be repeated. `signal` gives true for the payload that
 * was stored, false when the gate had one or the run has ended; it may come before anything waits at the gate.
 */
export interface PipelineEngine {
  start(plan: Plan): Promise<void>;
  signal(run: RunRef, gate: string, payload: unknown): Promise<boolean>;
  cancel(run: RunRef): Promise<void>;
  suspend(run: RunRef): Promise<void>;
  resume(run: RunRef): Promise<void>;
  /** A failed or parked step again, under a new round. @throws Fault wrong_status */
  retry(run: RunRef, step: string): Promise<void>;
  /** A failed or parked step is given up; what needs it goes on without. @throws Fault wrong_status */
  skip(run: RunRef, step: string): Promise<void>;
  /** Stops scheduling and aborts the bodies in flight; they go on at the next start. */
  stop(): Promise<void>;
}

export interface StepContext extends RunRef {
  step: string;
  /** The effect key: the same at each attempt, a new one only when a person retries. */
  key: string;
  round: number;
  attempt: number;
  fence: number;
  /** What came through the gate that the step waited at. */
  received: { gate: string; payload: unknown } | null;
  signal: AbortSignal;
}

/** `skipped`: the step is given up without a result, and what needs it goes on without. */
export type StepResult =
  | { kind: 'done'; output: unknown }
  | { kind: 'suspend'; gate: string }
  | { kind: 'skipped'; message: string }
  | { kind: 'failed'; message: string };

/**
 * Makes effects happen once, whatever the engine repeats: `begin` draws a fence and tells whether the result is already
 * stored, `commit` stores it in one transaction unless a later fence was drawn. A body that throws may be tried again.
 */
export interface StepHost {
  begin(run: RunRef, step: string): Promise<{ fence: number; done: boolean }>;
  execute(context: StepContext): Promise<StepResult>;
  commit(
    run: RunRef,
    step: string,
    fence: number,
    output: unknown,
  ): Promise<'stored' | 'duplicate' | 'fenced'>;
}
