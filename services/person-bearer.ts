import type { Actor } from './kit/actor.ts';
import type { Bearer } from './kit/edge.ts';
import { hasFaultCode } from './kit/fault.ts';
import { type Peer, unwrap } from './kit/peer.ts';
import { tokenDigest } from './spaces/members/token.ts';
import type { SpacesApp } from './spaces/service.ts';

const SELF: Actor = 'service:edge';

/** The person behind a token, or null. `spaces` is asked with the token's digest alone. */
export async function bearerOfPerson(spaces: Peer<SpacesApp>, token: string): Promise<Bearer | null> {
  const holder = spaces(SELF).api['token-holder'];
  try {
    return { actor: (await unwrap(holder.$post({ json: { digest: tokenDigest(token) } }))).actor };
  } catch (error) {
    if (!hasFaultCode(error, 'not_found')) throw error;
    return null;
  }
}
