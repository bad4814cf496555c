import { setTimeout as sleep } from 'node:timers/promises';
import packageFile from '../../../package.json' with { type: 'json' };
import { Fault } from '../../../services/kit/fault.ts';
import { faultOfResponse } from '../../../services/kit/problem.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-status.ts';

export interface SendOptions {
  /** Where the server is. A function when it may come back elsewhere; asked anew at each attempt. */
  url: string | (() => string);
  token: string;
  /** How long a server that cannot be reached is waited for before a call gives up. */
  patienceMs: number;
  /** One attempt may take this long. */
  attemptMs?: number;
  signal?: AbortSignal | undefined;
}

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** What the audit log says that a change was made with. */
const USER_AGENT = `cctl/${packageFile.version}`;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export function urlOf(options: Pick<SendOptions, 'url'>): string {
  return typeof options.url === 'string' ? options.url : options.url();
}

/**
 * Sends a request until it is answered. Repeated are attempts whose connection failed and answers that the server was not
 * ready; that is safe because every write carries an idempotency key or is a compare-and-set.
 * @throws Fault with the server's code; CommandError `unreachable` when patience ends; the signal's reason
 */
export function createSend(options: SendOptions): Send {
  return async (path, init = {}) => {
    const until = Date.now() + options.patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const failure = await attempt(options, path, init);
      if (failure instanceof Response) return failure;
      options.signal?.throwIfAborted();
      if (Date.now() + pauseMs > until) throw failure;
      await sleep(pauseMs, undefined, options.signal ? { signal: options.signal } : {});
    }
  };
}

/** The answer, or the failure after which another attempt makes sense; every other failure is thrown. */
async function attempt(options: SendOptions, path: string, init: RequestInit): Promise<Response | Error> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${options.token}`);
  headers.set('user-agent', USER_AGENT);
  // Ends the wait for an answer, not the reading of it: an event stream goes on for hours.
  const deadline = new AbortController();
  const expire = () => deadline.abort(new DOMException('No answer came in time.', 'TimeoutError'));
  const timer = setTimeout(expire, options.attemptMs ?? 30_000);
  const limits = [deadline.signal, options.signal, init.signal];
  const signal = AbortSignal.any(limits.filter((limit) => limit instanceof AbortSignal));
  let response: Response;
  try {
    response = await fetch(new URL(path, urlOf(options)), { ...init, headers, signal });
    if (response.ok) return response;
  } catch (error) {
    if (init.signal?.aborted || !isConnectionFailure(error)) throw error;
    return unreachable(options, error);
  } finally {
    clearTimeout(timer);
  }
  const fault = await faultOfResponse(response);
  if (fault.code === 'unauthenticated') throw unknownToken(options);
  if (response.status === 404 && fault.code === 'unavailable') throw noControlCenter(options);
  if (isNotReady(fault)) return fault;
  throw fault;
}

function isNotReady(fault: Fault): boolean {
  return fault.code === 'unavailable' || fault.code === 'database_busy';
}

const CONNECTION_CODES = new Set([
  'ConnectionRefused',
  'ConnectionClosed',
  'ConnectionReset',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

export function isConnectionFailure(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return CONNECTION_CODES.has(String(code)) || name === 'TimeoutError';
}

/** In words for who runs a command; the server's are for who makes a request. */
function unknownToken(options: SendOptions): Fault {
  const url = urlOf(options);
  const message = `The server at ${url} does not know this token. Set CONTROL_CENTER_TOKEN to yours, or take it out and set CONTROL_CENTER_DATA to the server's data directory.`;
  return new Fault('unauthenticated', message, { url });
}

/** Every path of the server that this one knows answers with problem details. */
function noControlCenter(options: SendOptions): CommandError {
  const url = urlOf(options);
  const message = `What answers at ${url} is no Control Center server. Say where yours is with --url or CONTROL_CENTER_URL.`;
  return new CommandError(EXIT.unreachable, 'unreachable', message, { url });
}

function unreachable(options: SendOptions, cause: unknown): CommandError {
  const url = urlOf(options);
  const message = `No server answers at ${url}. Start one with \`cctl serve\`, or say where it is with --url.`;
  return new CommandError(EXIT.unreachable, 'unreachable', message, { url }, { cause });
}
