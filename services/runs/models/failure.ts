import type { ErrorFamily } from '../harness/outcome.ts';

/** Why one try of a model call gave no answer. `message` is fit for people and holds no secret. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly retryable: boolean;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly family: ErrorFamily,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | null },
  ) {
    super(message);
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
