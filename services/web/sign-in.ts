import * as z from 'zod';
import type { Clock } from '../kit/clock.ts';
import { bounded } from '../kit/edge-body.ts';
import { cookieOf, requireOwnPage } from '../kit/edge-cookie.ts';
import { type Fault, hasFaultCode } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';
import { problemResponse } from '../kit/problem.ts';
import { invalidRequest } from '../kit/validate.ts';
import { Attempts } from './attempts.ts';
import { browserNameOf } from './browser-name.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { clearedCookie, sessionCookie } from './session-cookie.ts';

const SESSION_PATH = '/api/session';
const MAX_BODY_BYTES = 4_096;

const Code = z.strictObject({ code: z.string().min(1).max(200) });

export interface SignInOptions {
  sessions: BrowserSessions;
  cookieName: () => string;
  clock: Clock;
  log: Log;
}

/** Signing in and out at the edge: it alone sets the cookie, whose name has its port. Null for every other request. */
export function createSignIn(options: SignInOptions) {
  const attempts = new Attempts(options.clock);
  return async (request: Request, address: string | null): Promise<Response | null> => {
    if (new URL(request.url).pathname !== SESSION_PATH) return null;
    if (request.method === 'POST')
      return answered(options.log, () => signIn(request, address, options, attempts));
    if (request.method === 'DELETE') return answered(options.log, () => signOut(request, options));
    return null;
  };
}

/** What a browser must not keep; a refusal for the time being says until when. */
async function answered(log: Log, work: () => Promise<Response>): Promise<Response> {
  const response = await work().catch((error: unknown) => {
    const problem = problemResponse(error, log);
    if (!hasFaultCode(error, 'too_many_requests')) return problem;
    const { retryAfterMs } = (error as Fault).detail;
    problem.headers.set('retry-after', String(Math.ceil(Number(retryAfterMs) / 1_000)));
    return problem;
  });
  response.headers.set('cache-control', 'no-store');
  return response;
}

async function signIn(
  request: Request,
  address: string | null,
  { sessions, cookieName, clock, log }: SignInOptions,
  attempts: Attempts,
): Promise<Response> {
  const former = cookieOf(request, cookieName());
  if (former !== null) requireOwnPage(request);
  const code = await codeOf(request);
  const takeBack = attempts.take(address);
  const browser = browserNameOf(request.headers.get('user-agent'));
  const { token, member, expiresAt } = await sessions.begin(code, browser).catch((error: unknown) => {
    if (!hasFaultCode(error, 'sign_in_failed')) takeBack();
    throw error;
  });
  takeBack();
  // The new one holds either way, and its code is used up.
  if (former !== null)
    await sessions.end(former).catch((err: unknown) => log.warn({ err }, 'a former session goes on'));
  log.info({ memberId: member.id, address }, 'signed in');
  const cookie = sessionCookie(cookieName(), token, expiresAt - clock());
  return Response.json({ member }, { headers: { 'set-cookie': cookie } });
}

async function codeOf(request: Request): Promise<string> {
  const body: unknown = await (await bounded(request, MAX_BODY_BYTES)).json().catch(() => undefined);
  const parsed = Code.safeParse(body);
  if (parsed.success) return parsed.data.code;
  throw invalidRequest('json', parsed.error.issues);
}

async function signOut(request: Request, { sessions, cookieName }: SignInOptions): Promise<Response> {
  const token = cookieOf(request, cookieName());
  if (token !== null) {
    requireOwnPage(request);
    await sessions.end(token);
  }
  return new Response(null, { status: 204, headers: { 'set-cookie': clearedCookie(cookieName()) } });
}
