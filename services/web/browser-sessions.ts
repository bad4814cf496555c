import type { Actor } from '../kit/actor.ts';
import type { Clock } from '../kit/clock.ts';
import { hasFaultCode } from '../kit/fault.ts';
import { type Peer, unwrap } from '../kit/peer.ts';
import type { Member } from '../spaces/members/schema.ts';
import type { SessionHolder } from '../spaces/members/sessions.ts';
import { newSecret, tokenDigest } from '../spaces/members/token.ts';
import type { SpacesApp } from '../spaces/service.ts';
import type { BrowserName } from './browser-name.ts';

const SELF: Actor = 'service:edge';
const MOST_REMEMBERED = 1_000;

export interface BrowserSessions {
  /** @throws Fault sign_in_failed */
  begin(code: string, browser: BrowserName): Promise<{ token: string; member: Member; expiresAt: number }>;
  /** @param renew whether the answer may tell of a session that lasts longer now */
  holderOf(token: string, renew: boolean): Promise<SessionHolder | null>;
  end(token: string): Promise<void>;
}

/**
 * The sessions that `spaces` keeps. It is asked with digests alone: what a cookie holds is known to the browser and, while a
 * request lasts, to the edge.
 * @param rememberMs how long an answer holds; for a `spaces` in another process, where somebody may sign out meanwhile
 */
export function createBrowserSessions(
  spaces: Peer<SpacesApp>,
  rememberMs: number,
  clock: Clock,
): BrowserSessions {
  const { api } = spaces(SELF);
  const remembered = new Map<string, { holder: SessionHolder; until: number }>();
  /** Sessions ended here; what was asked before one ended is not remembered after it. */
  let ends = 0;

  async function ask(digest: string, renew: boolean): Promise<SessionHolder | null> {
    try {
      return await unwrap(api['session-holder'].$post({ json: { digest, renew } }));
    } catch (error) {
      if (!hasFaultCode(error, 'not_found')) throw error;
      return null;
    }
  }

  return {
    async begin(code, browser) {
      const token = newSecret();
      const json = { codeDigest: tokenDigest(code), digest: tokenDigest(token), ...browser };
      return { token, ...(await unwrap(api.sessions.$post({ json }))) };
    },
    async holderOf(token, renew) {
      const [digest, nowMs] = [tokenDigest(token), clock()];
      const known = remembered.get(digest);
      if (known && nowMs < Math.min(known.until, known.holder.expiresAt)) return known.holder;
      const endsBefore = ends;
      const holder = await ask(digest, renew);
      if (holder === null || rememberMs === 0 || ends !== endsBefore) return holder;
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      // It was renewed once, and the cookie is sent once.
      remembered.set(digest, { holder: { ...holder, renewed: false }, until: nowMs + rememberMs });
      return holder;
    },
    async end(token) {
      const digest = tokenDigest(token);
      await unwrap(api.sessions.end.$post({ json: { digest } }));
      ends++;
      remembered.delete(digest);
    },
  };
}
