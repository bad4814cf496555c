import { timingSafeEqual } from 'node:crypto';
import { ACTOR_HEADER, type Actor } from './actor.ts';
import { bounded } from './edge-body.ts';
import { cookieOf, requireOwnPage } from './edge-cookie.ts';
import { endingStream } from './edge-stream.ts';
import { Fault } from './fault.ts';
import type { Log } from './log.ts';
import { problemResponse } from './problem.ts';
import { outsideSource, SOURCE_HEADER, sourceHeader } from './source.ts';

export interface EdgeOptions {
  /** Host header values served, `127.0.0.1:4400`; read at each request, since port 0 is known only after binding. */
  hosts: () => readonly string[];
  /** Whom a token stands for at a path, or null. @throws Fault forbidden for a token that does not open this path so */
  bearerOf: (token: string, path: string, method: string) => Promise<Bearer | null>;
  /** What a browser that signed in sends instead of a token. Without it, cookies mean nothing. */
  cookie?: {
    name: () => string;
    /** As the other `bearerOf`, of the cookie's value. */
    bearerOf: (value: string, request: Request) => Promise<Bearer | null>;
  };
  /** Paths beside the health check that are served without a token: they know their callers by themselves. */
  isOpen?: (path: string) => boolean;
  /** Answers what belongs to no service, without a token; null leaves a request to the services. */
  outside?: (request: Request, address: string | null) => Promise<Response | null>;
  /** Shared by the services of one installation; lets a peer name the actor it acts for. */
  serviceToken: string | null;
  /** `outer` is the request as it came, credentials and all: only its connection can become a socket. */
  handle: (inner: Request, outer: Request) => Response | Promise<Response>;
  log: Log;
}

/** Whom a token stands for, and what the services are told of it besides. */
export interface Bearer {
  actor: Actor;
  headers?: Readonly<Record<string, string>>;
  /** Sent back with the answer. */
  setCookie?: string | null;
  /** Whether it still stands for them, where that can end; an event stream ends with it. */
  holds?: () => Promise<boolean>;
}

/** What the server knows of a connection. */
interface Connections {
  requestIP(request: Request): { address: string } | null;
}

const INNER_PREFIX = 'x-control-center-';
const OPEN_PATHS = new Set(['/healthz']);
const CREDENTIALS = ['authorization', 'cookie'];

type Authenticated = Bearer & { isPeer: boolean };

/**
 * The outside wall: a foreign Host (DNS rebinding) or Origin (another site's page) is refused before anything else, and
 * nothing but the health check is served without a token, event streams included.
 */
export function createEdge(
  options: EdgeOptions,
): (request: Request, connections?: Connections) => Promise<Response> {
  return async (request, connections) => {
    try {
      checkHost(request, options.hosts());
      const path = new URL(request.url).pathname;
      if (OPEN_PATHS.has(path)) return await options.handle(withoutInner(new Request(request)), request);
      if (options.isOpen?.(path)) return await options.handle(withoutInner(await bounded(request)), request);
      const address = connections?.requestIP(request)?.address ?? null;
      const outside = await options.outside?.(request, address);
      if (outside) return outside;
      const bearer = await authenticate(request, path, options);
      const inner = innerRequest(await bounded(request), request, path, address, bearer);
      const answer = await options.handle(inner, request);
      const response = bearer.holds ? endingStream(answer, bearer.holds) : answer;
      if (bearer.setCookie) response.headers.append('set-cookie', bearer.setCookie);
      return response;
    } catch (error) {
      return problemResponse(error, options.log);
    }
  };
}

/** What the services see: no credentials, and whom the request is of in the edge's own words. */
function innerRequest(
  inner: Request,
  outer: Request,
  path: string,
  address: string | null,
  { actor, headers = {}, isPeer }: Authenticated,
): Request {
  for (const name of CREDENTIALS) inner.headers.delete(name);
  if (!isPeer) {
    dropInner(inner.headers);
    const via = path.endsWith('/mcp') ? 'mcp' : 'http';
    inner.headers.set(SOURCE_HEADER, sourceHeader(outsideSource(outer, via, address)));
  }
  for (const [name, value] of Object.entries({ ...headers, [ACTOR_HEADER]: actor })) {
    inner.headers.set(name, value);
  }
  return inner;
}

function withoutInner(request: Request): Request {
  for (const name of CREDENTIALS) request.headers.delete(name);
  dropInner(request.headers);
  return request;
}

/** What services tell each other is never taken from outside. */
function dropInner(headers: Headers): void {
  for (const name of [...headers.keys()]) if (name.startsWith(INNER_PREFIX)) headers.delete(name);
}

function checkHost(request: Request, hosts: readonly string[]): void {
  const host = request.headers.get('host') ?? '';
  if (!hosts.includes(host)) {
    throw new Fault(
      'foreign_host',
      `This server does not answer for the host ${JSON.stringify(host)}. Use http://${hosts[0]}.`,
    );
  }
  const origin = request.headers.get('origin');
  if (origin !== null && !hosts.some((known) => origin === `http://${known}`)) {
    throw new Fault('foreign_origin', `Requests from pages of ${origin} are not served.`);
  }
}

/** A peer says whom it acts for, and where that one's request came from. */
async function authenticate(request: Request, path: string, options: EdgeOptions): Promise<Authenticated> {
  const authorization = request.headers.get('authorization');
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (token && options.serviceToken && equalSecrets(token, options.serviceToken)) {
    return { actor: (request.headers.get(ACTOR_HEADER) ?? 'service:peer') as Actor, isPeer: true };
  }
  const bearer = token
    ? await options.bearerOf(token, path, request.method)
    : authorization === null && (await bearerOfCookie(request, options));
  if (bearer) return { ...bearer, isPeer: false };
  throw new Fault(
    'unauthenticated',
    'A valid token is needed: send `Authorization: Bearer …` with the token shown at the first start, which is in the file `owner-token` of the data directory. A browser signs in with the link that `cctl sign-in` prints.',
  );
}

/** @throws Fault foreign_origin */
async function bearerOfCookie(request: Request, { cookie }: EdgeOptions): Promise<Bearer | null> {
  const value = cookie ? cookieOf(request, cookie.name()) : null;
  if (!cookie || value === null) return null;
  requireOwnPage(request);
  return cookie.bearerOf(value, request);
}

function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new Bun.CryptoHasher('sha256').update(text).digest());
  return timingSafeEqual(left as Uint8Array, right as Uint8Array);
}
