import type { Hono } from 'hono';
import { hc } from 'hono/client';
import pRetry from 'p-retry';
import { ACTOR_HEADER, type Actor } from './actor.ts';
import { withEncodedParams } from './encoded-params.ts';
import { Fault, hasFaultCode } from './fault.ts';
import { faultOfResponse } from './problem.ts';
import { SOURCE_HEADER, sourceHeader, sourceOf } from './source.ts';

/** How a peer service is reached: in this process, or over HTTP with the services' shared token. */
export type Transport =
  | { kind: 'embedded'; app: { request: Send } }
  | { kind: 'remote'; baseUrl: string; serviceToken: string };

// biome-ignore lint/suspicious/noExplicitAny: the client's own constraint on an app of any environment and schema
type AnyApp = Hono<any, any, any>;

/** Another service's typed client, acting for one actor at a time. */
export type Peer<App extends AnyApp> = (actor: Actor) => ReturnType<typeof hc<App>>;

type Send = (request: Request) => Response | Promise<Response>;

export function createPeer<App extends AnyApp>(transport: Transport): Peer<App> {
  const send = transport.kind === 'embedded' ? transport.app.request : remote(transport.serviceToken);
  const base = transport.kind === 'embedded' ? 'http://peer.invalid' : transport.baseUrl;
  return (actor) =>
    withEncodedParams(
      hc<App>(base, {
        headers: () => headersOf(actor),
        fetch: async (input: string | URL | Request, init?: RequestInit) =>
          send(new Request(input as string, init)),
      }),
    );
}

function headersOf(actor: Actor): Record<string, string> {
  const source = sourceOf(actor);
  return { [ACTOR_HEADER]: actor, ...(source && { [SOURCE_HEADER]: sourceHeader(source) }) };
}

// A call is repeated only when the connection failed: an answer is an answer. Every write carries a key, so that a call
// whose answer was lost does nothing twice.
function remote(serviceToken: string): Send {
  return (request) => {
    request.headers.set('authorization', `Bearer ${serviceToken}`);
    return pRetry(() => attempt(request), {
      retries: 8,
      minTimeout: 50,
      maxTimeout: 2_000,
      shouldRetry: ({ error }) => isConnectionFailure(error.cause),
    });
  };
}

/** A failed connection is a TypeError here, and such a one is never tried again unless it is put as something else. */
async function attempt(request: Request): Promise<Response> {
  try {
    return await fetch(request.clone() as Request);
  } catch (error) {
    const peer = new URL(request.url).origin;
    throw new Fault('unavailable', `The service at ${peer} cannot be reached.`, { peer }, { cause: error });
  }
}

/** Whether a peer stayed away for as long as a call waits for it; it may be back later, and nobody has to mend anything here. */
export function isPeerAway(error: unknown): boolean {
  return hasFaultCode(error, 'unavailable') && 'peer' in (error as Fault).detail;
}

const CONNECTION_CODES = new Set([
  ...['ConnectionRefused', 'ConnectionClosed', 'ConnectionReset', 'FailedToOpenSocket'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
]);

function isConnectionFailure(error: unknown): boolean {
  return CONNECTION_CODES.has(String((error as { code?: unknown } | undefined)?.code));
}

interface JsonResponse {
  ok: boolean;
  json(): Promise<unknown>;
}
type Body<R extends JsonResponse> = Awaited<ReturnType<R['json']>>;

/** The answer's JSON, or the Fault its problem details carry, with the code that the other service gave. */
export async function unwrap<R extends JsonResponse>(response: Promise<R>): Promise<Body<R>> {
  const answer = await response;
  if (answer.ok) return (await answer.json()) as Body<R>;
  throw await faultOfResponse(answer as unknown as Response);
}
