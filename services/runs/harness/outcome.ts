const LIVENESS = [
  'progressing',
  'waiting',
  'stalled',
  'looping',
  'blocked',
  'empty',
  'failed',
  'dead',
] as const;
export type Liveness = (typeof LIVENESS)[number];

const ERROR_FAMILIES = [
  'silentRun',
  'inactivity',
  'overloaded',
  'rateLimited',
  'authentication',
  'contextOverflow',
  'refused',
  'toolFailure',
  'sandbox',
  'budget',
  'cancelled',
  'crashed',
  'invalidRequest',
  'network',
] as const;
export type ErrorFamily = (typeof ERROR_FAMILIES)[number];

/** What a run came to: `text` is the final answer, `value` its JSON when the job has an output schema. */
export interface RunOutput {
  text: string;
  value: unknown | null;
}

export interface HarnessOutcome {
  status: 'completed' | 'failed' | 'cancelled' | 'paused' | 'suspended';
  liveness: Liveness;
  errorFamily: ErrorFamily | null;
  summary: string;
  output: RunOutput | null;
  /** The approval that a suspended run waits for, or the run: a sub-agent. */
  waitingFor: string | null;
}
