import { Fault } from '../../../kit/fault.ts';

/** What the client throws for an answer that is no success, and without a response for none at all. */
interface Failure {
  status?: unknown;
  message?: unknown;
  response?: { headers: Record<string, unknown>; data: unknown };
  cause?: unknown;
}

const LONGEST_MESSAGE = 500;
/** A limit that is said to last longer is looked at again after this: no clock or provider is to be believed for ever. */
const LONGEST_LIMIT_MS = 24 * 3_600_000;
const MEND_TOKEN = 'Give GITHUB_TOKEN one that may read the repository and write reviews, and start again.';

export function tokenMissing(provider: string): Fault {
  return new Fault('provider_token_missing', `${provider} is not asked without a token. ${MEND_TOKEN}`);
}

/** An answer that is not what this call answers, as of a connection cut in the middle of it. */
export function unreadable(provider: string, what: string): Fault {
  return new Fault(
    'provider_unavailable',
    `${provider} gave an answer to ${what} that cannot be read. Try again.`,
  );
}

/**
 * What went wrong, with a stable code. The failure itself is not kept: it holds the request and with it the token.
 * @param what was asked for, for people: `pull request o/r#7`
 */
export function providerFault(error: unknown, provider: string, what: string, nowMs: number): Fault {
  if (error instanceof Fault) return error;
  const { response, status, cause } = error as Failure;
  if (response === undefined) {
    const reason = String((cause as { code?: unknown; name?: unknown } | undefined)?.code ?? 'no answer');
    return new Fault(
      'provider_unavailable',
      `${provider} cannot be reached for ${what} (${reason}). Try again.`,
    );
  }
  const retryAfterMs = limitedFor(response.headers, Number(status), messageOf(response.data), nowMs);
  if (retryAfterMs !== null) {
    const seconds = Math.ceil(retryAfterMs / 1_000);
    const text = `${provider} lets nobody with this token ask for ${what} for the next ${seconds} s.`;
    return new Fault('provider_rate_limited', text, { retryAfterMs });
  }
  return faultOfStatus(Number(status), messageOf(response.data), provider, what);
}

function faultOfStatus(status: number, message: string, provider: string, what: string): Fault {
  if (status === 401) {
    return new Fault('provider_token_refused', `${provider} does not know the token. ${MEND_TOKEN}`);
  }
  if (status === 403) {
    return new Fault(
      'provider_forbidden',
      `${provider} does not let this token have ${what}: ${message} ${MEND_TOKEN}`,
    );
  }
  if (status === 404) {
    const text = `${provider} has no ${what}, or the token may not see it.`;
    return new Fault('provider_not_found', `${text} Check the address, and what GITHUB_TOKEN may read.`);
  }
  if (status >= 500) {
    return new Fault('provider_unavailable', `${provider} failed at ${what} (${status}). Try again.`, {
      status,
    });
  }
  return new Fault('provider_refused', `${provider} refused ${what} (${status}): ${message}`, { status });
}

/** For how long to wait, if it is the rate limit that stood in the way; a minute when it does not say. */
function limitedFor(
  headers: Record<string, unknown>,
  status: number,
  message: string,
  nowMs: number,
): number | null {
  if (status !== 429 && status !== 403) return null;
  const [after, left, reset] = ['retry-after', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) =>
    headers[name] === undefined ? null : Number(headers[name]),
  );
  if (typeof after === 'number' && after >= 0) return Math.min(LONGEST_LIMIT_MS, after * 1_000);
  if (left === 0 && typeof reset === 'number' && reset > 0) {
    return Math.min(LONGEST_LIMIT_MS, Math.max(1_000, reset * 1_000 - nowMs));
  }
  return status === 429 || /rate limit/i.test(message) ? 60_000 : null;
}

/** The provider's own words, with what it names as wrong. */
function messageOf(data: unknown): string {
  const { message, errors } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >;
  const named = Array.isArray(errors)
    ? errors.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('; ')
    : '';
  const text = [typeof message === 'string' ? message : 'no reason given', named].filter(Boolean).join(': ');
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_MESSAGE);
}
