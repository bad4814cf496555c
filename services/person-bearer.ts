import type { Actor } from './kit/actor.ts';
import type { Bearer } from './kit/edge.ts';
import { Fault, hasFaultCode } from './kit/fault.ts';
import { type Peer, unwrap } from './kit/peer.ts';
import { VIEWER_HEADER } from './runs/mcp/viewer.ts';
import type { Role } from './spaces/members/schema.ts';
import { tokenDigest } from './spaces/members/token.ts';
import type { SpacesApp } from './spaces/service.ts';

const SELF: Actor = 'service:edge';

const READING = ['GET', 'HEAD'];
/** Asked with a body: the tool protocol, which judges its calls by itself, and what a policy would say. */
const ASKING = /^\/api\/workspaces\/[^/]+\/(mcp|policy\/explain)$/;
/** One's own ways in, which everybody makes and ends; whose they are, the service looks at. */
const OWN_WAYS: Partial<Record<string, RegExp>> = {
  POST: /^\/api\/(sign-in-codes|tokens)$/,
  DELETE: /^\/api\/(sessions|sessions\/[^/]+|tokens\/[^/]+|members\/[^/]+)$/,
};

/**
 * The person behind a token, or null. `spaces` is asked with the token's digest alone.
 * @throws Fault forbidden for a viewer who would change something
 */
export async function bearerOfPerson(
  spaces: Peer<SpacesApp>,
  token: string,
  path: string,
  method: string,
): Promise<Bearer | null> {
  const holder = await holderOf(spaces, token);
  if (holder === null) return null;
  return {
    ...bearerOfHolder(holder, path, method),
    holds: async () => (await holderOf(spaces, token)) !== null,
  };
}

/** @throws Fault forbidden for a viewer who would change something */
export function bearerOfHolder(
  { actor, role }: { actor: Actor; role: Role },
  path: string,
  method: string,
): Bearer {
  if (role !== 'viewer') return { actor };
  const isAsking = READING.includes(method) || (method === 'POST' && ASKING.test(path));
  if (isAsking || OWN_WAYS[method]?.test(path)) {
    return { actor, headers: { [VIEWER_HEADER]: '1' } };
  }
  throw new Fault('forbidden', 'A viewer looks on and changes nothing. Ask an owner or an operator.', {
    actor,
  });
}

async function holderOf(spaces: Peer<SpacesApp>, token: string) {
  try {
    return await unwrap(spaces(SELF).api['token-holder'].$post({ json: { digest: tokenDigest(token) } }));
  } catch (error) {
    if (!hasFaultCode(error, 'not_found')) throw error;
    return null;
  }
}
