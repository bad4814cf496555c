/** Every error a caller can branch on: code → HTTP status and whether the same call may succeed later. */
const FAULTS = {
  invalid_request: { status: 400, retryable: false },
  invalid_proposal: { status: 422, retryable: false },
  unauthenticated: { status: 401, retryable: false },
  sign_in_failed: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  foreign_host: { status: 403, retryable: false },
  foreign_origin: { status: 403, retryable: false },
  people_only: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  conflict: { status: 409, retryable: false },
  already_decided: { status: 409, retryable: false },
  stale_revision: { status: 409, retryable: false },
  wrong_status: { status: 409, retryable: false },
  too_soon: { status: 429, retryable: true },
  too_many_requests: { status: 429, retryable: true },
  too_large: { status: 413, retryable: false },
  cancelled: { status: 409, retryable: false },
  tree_limit: { status: 409, retryable: false },
  delegation_refused: { status: 409, retryable: false },
  timeout: { status: 504, retryable: true },
  unavailable: { status: 503, retryable: true },
  internal: { status: 500, retryable: false },
  disk_full: { status: 507, retryable: true },
  database_corrupt: { status: 500, retryable: false },
  database_busy: { status: 503, retryable: true },
  database_newer: { status: 500, retryable: false },
  migration_changed: { status: 500, retryable: false },
  invalid_configuration: { status: 500, retryable: false },
  data_in_use: { status: 500, retryable: true },
  port_in_use: { status: 500, retryable: true },
  not_a_repository: { status: 422, retryable: false },
  path_outside_worktree: { status: 422, retryable: false },
  file_not_found: { status: 404, retryable: false },
  no_match: { status: 422, retryable: false },
  ambiguous_match: { status: 422, retryable: false },
  merge_conflict: { status: 409, retryable: false },
  cannot_undo: { status: 422, retryable: false },
  git_failed: { status: 500, retryable: false },
  command_failed: { status: 422, retryable: false },
  budget_exhausted: { status: 402, retryable: false },
  price_unknown: { status: 422, retryable: false },
  model_failed: { status: 502, retryable: true },
  provider_token_missing: { status: 503, retryable: false },
  provider_token_refused: { status: 502, retryable: false },
  provider_forbidden: { status: 502, retryable: false },
  provider_not_found: { status: 404, retryable: false },
  provider_refused: { status: 422, retryable: false },
  provider_rate_limited: { status: 429, retryable: true },
  provider_unavailable: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type FaultCode = keyof typeof FAULTS;

export function isFaultCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(FAULTS, code);
}

/**
 * The one error class of the services. `message` says what went wrong, where, and how to mend it, in words fit for
 * the person who made the call; `detail` is JSON for programs. Neither may hold a secret.
 */
export class Fault extends Error {
  override readonly name = 'Fault';

  constructor(
    readonly code: FaultCode,
    message: string,
    readonly detail: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get status(): number {
    return FAULTS[this.code].status;
  }

  get retryable(): boolean {
    return FAULTS[this.code].retryable;
  }
}

/** Compares by code, so that it also holds for a fault that came over the wire. */
export function hasFaultCode(error: unknown, ...codes: FaultCode[]): boolean {
  return error instanceof Fault && codes.includes(error.code);
}
