import { timingSafeEqual } from 'node:crypto';
import { ACTOR_HEADER, type Actor } from './actor.ts';
import { Fault } from './fault.ts';
import type { Log } from './log.ts';
import { problemResponse } from './problem.ts';

export interface EdgeOptions {
  /** Host header values served, `127.0.0.1:4400`; read at each request, since port 0 is known only after binding. */
  hosts: () => readonly string[];
  /** The actor behind a personal token, or null. */
  actorOfToken: (token: string) => Promise<Actor | null>;
  /** Shared by the services of one installation; lets a peer name the actor it acts for. */
  serviceToken: string | null;
  handle: (request: Request) => Response | Promise<Response>;
  log: Log;
}

const OPEN_PATHS = new Set(['/healthz']);

/**
 * The outside wall: a foreign Host (DNS rebinding) or Origin (another site's page) is refused before anything else, and
 * nothing but the health check is served without a token, event streams included.
 */
export function createEdge(options: EdgeOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      checkHost(request, options.hosts());
      const path = new URL(request.url).pathname;
      if (OPEN_PATHS.has(path)) return await options.handle(request);
      const actor = await authenticate(request, options);
      const inner = new Request(request);
      inner.headers.delete('authorization');
      inner.headers.set(ACTOR_HEADER, actor);
      return await options.handle(inner);
    } catch (error) {
      return problemResponse(error, options.log);
    }
  };
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

async function authenticate(request: Request, options: EdgeOptions): Promise<Actor> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  if (token && options.serviceToken && equalSecrets(token, options.serviceToken)) {
    return (request.headers.get(ACTOR_HEADER) ?? 'service:peer') as Actor;
  }
  const actor = token ? await options.actorOfToken(token) : null;
  if (actor) return actor;
  throw new Fault(
    'unauthenticated',
    'A valid token is needed: send `Authorization: Bearer …` with the token from the first start or from `cctl`.',
  );
}

function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new Bun.CryptoHasher('sha256').update(text).digest());
  return timingSafeEqual(left as Uint8Array, right as Uint8Array);
}
