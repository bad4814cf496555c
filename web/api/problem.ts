/**
 * What the server refused and why: RFC 9457 problem details with the stable `code` that screens branch on. `message` is for the
 * person, in their language.
 */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** In the server's words, which are English. */
    readonly detail: string,
    /** The fault's own facts, such as both revisions of a stale edit. */
    readonly facts: Record<string, unknown>,
    readonly retryable: boolean,
  ) {
    super(detail);
    this.name = 'ApiProblem';
  }
}

/** Not an answer of the server: it could not be reached. */
export const UNREACHABLE = 'unreachable';
/** An answer without a code: something between here and the server gave it. */
export const UNKNOWN = 'unknown';

export function hasCode(error: unknown, ...codes: string[]): error is ApiProblem {
  return error instanceof ApiProblem && codes.includes(error.code);
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  return new ApiProblem(
    response.status,
    typeof body.code === 'string' ? body.code : UNKNOWN,
    typeof body.detail === 'string' ? body.detail : `The server answered with status ${response.status}.`,
    (body.errors ?? {}) as Record<string, unknown>,
    body.retryable === true,
  );
}
