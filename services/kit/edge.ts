import { timingSafeEqual } from 'node:crypto';
import { ACTOR_HEADER, type Actor } from './actor.ts';
import { Fault } from './fault.ts';
import type { Log } from './log.ts';
import { problemResponse } from './problem.ts';
import { outsideSource, SOURCE_HEADER, sourceHeader } from './source.ts';

export interface EdgeOptions {
  /** Host header values served, `127.0.0.1:4400`; read at each request, since port 0 is known only after binding. */
  hosts: () => readonly string[];
  /** Whom a token stands for at a path, or null. @throws Fault forbidden for a token that does not open this path so */
  bearerOf: (token: string, path: string, method: string) => Promise<Bearer | null>;
  /** Paths beside the health check that are served without a token: they know their callers by themselves. */
  isOpen?: (path: string) => boolean;
  /** Shared by the services of one installation; lets a peer name the actor it acts for. */
  serviceToken: string | null;
  handle: (request: Request) => Response | Promise<Response>;
  log: Log;
}

/** Whom a token stands for, and what the services are told of it besides. */
export interface Bearer {
  actor: Actor;
  headers?: Readonly<Record<string, string>>;
}

/** Room for the longest text there is (1,000,000 characters) with every character escaped, and something around it. */
const MAX_BODY_BYTES = 8 << 20;

/** What the server knows of a connection. */
interface Connections {
  requestIP(request: Request): { address: string } | null;
}

const INNER_PREFIX = 'x-control-center-';
const OPEN_PATHS = new Set(['/healthz']);

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
      if (OPEN_PATHS.has(path)) return await options.handle(request);
      if (options.isOpen?.(path)) return await options.handle(withoutInner(await bounded(request)));
      const { actor, headers = {}, isPeer } = await authenticate(request, path, options);
      const inner = await bounded(request);
      inner.headers.delete('authorization');
      if (!isPeer) dropInner(inner.headers);
      for (const [name, value] of Object.entries({ ...headers, [ACTOR_HEADER]: actor })) {
        inner.headers.set(name, value);
      }
      if (!isPeer) {
        const address = connections?.requestIP(request)?.address ?? null;
        const via = path.endsWith('/mcp') ? 'mcp' : 'http';
        inner.headers.set(SOURCE_HEADER, sourceHeader(outsideSource(request, via, address)));
      }
      return await options.handle(inner);
    } catch (error) {
      return problemResponse(error, options.log);
    }
  };
}

function withoutInner(request: Request): Request {
  request.headers.delete('authorization');
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

/**
 * The request with a body that is known to be of a size that can be held. One that says its length is judged by that; one
 * that does not is read as far as the limit.
 */
async function bounded(request: Request): Promise<Request> {
  if (request.body === null) return new Request(request);
  const declared = request.headers.get('content-length');
  if (declared === '0') return new Request(request);
  checkType(request.headers.get('content-type') ?? '');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) throw tooLarge();
  if (declared !== null) return new Request(request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}

function checkType(type: string): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  const given = type === '' ? 'nothing' : JSON.stringify(type.slice(0, 100));
  throw new Fault(
    'invalid_request',
    `The body of a request has to be JSON: send it with Content-Type application/json instead of ${given}.`,
  );
}

function tooLarge(): Fault {
  return new Fault(
    'too_large',
    `The body of a request may have ${MAX_BODY_BYTES >> 20} MiB at most. Send less, or in parts.`,
    { maxBytes: MAX_BODY_BYTES },
  );
}

/** A peer says whom it acts for, and where that one's request came from. */
async function authenticate(
  request: Request,
  path: string,
  options: EdgeOptions,
): Promise<Bearer & { isPeer: boolean }> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  if (token && options.serviceToken && equalSecrets(token, options.serviceToken)) {
    return { actor: (request.headers.get(ACTOR_HEADER) ?? 'service:peer') as Actor, isPeer: true };
  }
  const bearer = token ? await options.bearerOf(token, path, request.method) : null;
  if (bearer) return { ...bearer, isPeer: false };
  throw new Fault(
    'unauthenticated',
    'A valid token is needed: send `Authorization: Bearer …` with the token shown at the first start, which is in the file `owner-token` of the data directory.',
  );
}

function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new Bun.CryptoHasher('sha256').update(text).digest());
  return timingSafeEqual(left as Uint8Array, right as Uint8Array);
}
