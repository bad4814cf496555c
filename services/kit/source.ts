import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import type { Actor } from './actor.ts';
import { Fault } from './fault.ts';

export const SOURCE_HEADER = 'x-control-center-source';

const MAX_AGENT_CHARACTERS = 300;

/** Where a request came from; `agent` is the user agent that it named, `address` that of its connection. */
const RequestSource = z.strictObject({
  via: z.enum(['http', 'mcp', 'internal']),
  address: z.string().max(100).nullable(),
  agent: z.string().max(MAX_AGENT_CHARACTERS).nullable(),
});
export type RequestSource = z.infer<typeof RequestSource>;

/** Of a request that no edge saw: one service asks another on its own account. */
const INTERNAL: RequestSource = { via: 'internal', address: null, agent: null };

const present = new AsyncLocalStorage<{ actor: Actor; source: RequestSource }>();

/** Runs `call` as part of a request by `actor`; everything it sets going knows where it came from. */
export function withSource<T>(actor: Actor, source: RequestSource, call: () => T): T {
  return present.run({ actor, source }, call);
}

/**
 * Where what `actor` does now was asked for; null outside every request. Work that goes on in another's name after the
 * request that set it going has another source than that request.
 */
export function sourceOf(actor: Actor): RequestSource | null {
  const request = present.getStore();
  if (!request) return null;
  return request.actor === actor ? request.source : INTERNAL;
}

/** What the edge writes of a request from outside. */
export function outsideSource(
  request: Request,
  via: RequestSource['via'],
  address: string | null,
): RequestSource {
  const agent = request.headers.get('user-agent');
  return { via, address, agent: agent === null ? null : agent.slice(0, MAX_AGENT_CHARACTERS) };
}

/** The value of the header; ASCII alone, as a header must be. */
export function sourceHeader(source: RequestSource): string {
  return JSON.stringify(source).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @throws Fault invalid_request; nobody but the edge and peers writes the header */
export function parseSource(header: string | undefined): RequestSource {
  if (header === undefined) return INTERNAL;
  try {
    return RequestSource.parse(JSON.parse(header));
  } catch (error) {
    throw new Fault('invalid_request', `The header ${SOURCE_HEADER} cannot be read.`, {}, { cause: error });
  }
}
