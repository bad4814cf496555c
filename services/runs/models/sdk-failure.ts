import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { ErrorFamily } from '../harness/outcome.ts';
import { redact } from '../tools/output.ts';
import { ModelFailure } from './failure.ts';

interface Verdict {
  family: ErrorFamily;
  retryable: boolean;
}

const OVERLOADED: Verdict = { family: 'overloaded', retryable: true };
const RATE_LIMITED: Verdict = { family: 'rateLimited', retryable: true };
const NETWORK: Verdict = { family: 'network', retryable: true };
const AUTHENTICATION: Verdict = { family: 'authentication', retryable: false };
const CONTEXT_OVERFLOW: Verdict = { family: 'contextOverflow', retryable: false };
const INVALID_REQUEST: Verdict = { family: 'invalidRequest', retryable: false };

// Errors inside a 200 stream carry a type and no status.
const BY_TYPE: Record<string, Verdict> = {
  overloaded_error: OVERLOADED,
  api_error: OVERLOADED,
  rate_limit_error: RATE_LIMITED,
  timeout_error: NETWORK,
  authentication_error: AUTHENTICATION,
  permission_error: AUTHENTICATION,
  billing_error: AUTHENTICATION,
  request_too_large: CONTEXT_OVERFLOW,
};

const BY_STATUS: Record<number, Verdict> = {
  401: AUTHENTICATION,
  402: AUTHENTICATION,
  403: AUTHENTICATION,
  408: NETWORK,
  409: OVERLOADED,
  413: CONTEXT_OVERFLOW,
  429: RATE_LIMITED,
};

const TOO_LONG = /prompt is too long|context (window|limit|length)|too many (input )?tokens/i;

/**
 * Sorts whatever a try threw. What is not an answer of the server counts as the network's fault: a cut stream, a body that
 * is no stream. Servers say back what they were sent, so that nothing of theirs is kept but its message without `secrets`.
 */
export function modelFailureOf(error: unknown, secrets: readonly string[]): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (!(error instanceof APIError) || error instanceof APIConnectionError) {
    const message = redact(`The model server could not be read: ${messageOf(error)}.`, secrets);
    return new ModelFailure('network', message, { retryable: true });
  }
  const { family, retryable } = verdictOf(error);
  const status = error.status === undefined ? '' : ` (${error.status})`;
  const message = redact(`The model server refused${status}: ${error.apiMessage ?? error.message}`, secrets);
  return new ModelFailure(family, message, { retryable, retryAfterMs: retryAfterMs(error.headers) });
}

function verdictOf(error: APIError): Verdict {
  const { status, type } = error as { status: number | undefined; type: string | null };
  const known = (type === null ? undefined : BY_TYPE[type]) ?? BY_STATUS[status ?? 0];
  if (known !== undefined) return known;
  if (TOO_LONG.test(error.apiMessage ?? error.message)) return CONTEXT_OVERFLOW;
  return status === undefined || status >= 500 ? OVERLOADED : INVALID_REQUEST;
}

function retryAfterMs(headers: Headers | undefined): number | null {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const text = headers?.get('retry-after') ?? null;
  if (text === null) return null;
  const seconds = Number(text);
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
