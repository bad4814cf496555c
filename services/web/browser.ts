import { systemClock } from '../kit/clock.ts';
import type { Bearer, EdgeOptions } from '../kit/edge.ts';
import { createPeer } from '../kit/peer.ts';
import { bearerOfHolder } from '../person-bearer.ts';
import type { Site } from '../site.ts';
import { SESSION_HEADER } from '../spaces/members/session-header.ts';
import type { SpacesApp } from '../spaces/service.ts';
import { type BrowserSessions, createBrowserSessions } from './browser-sessions.ts';
import { cookieNameOf, sessionCookie } from './session-cookie.ts';
import { createSignIn } from './sign-in.ts';
import { createWebApp } from './web-app.ts';

/** Of sessions that another process keeps: somebody who signs out there is out here a little later. */
const REMEMBERED_ELSEWHERE_MS = 4_000;

/** What the edge does for browsers: the cookie of those who signed in, signing in and out, and the app where `spaces` is. */
export function createBrowserEdge(
  { config, transport, log }: Site,
  port: () => number,
): Required<Pick<EdgeOptions, 'cookie' | 'outside'>> {
  const spaces = transport('spaces');
  const rememberMs = spaces.kind === 'remote' ? REMEMBERED_ELSEWHERE_MS : 0;
  const sessions = createBrowserSessions(createPeer<SpacesApp>(spaces), rememberMs, systemClock);
  const cookieName = () => cookieNameOf(port());
  const signIn = createSignIn({ sessions, cookieName, clock: systemClock, log });
  const app = config.services.includes('spaces') ? createWebApp({ folder: config.webDir, log }) : null;
  return {
    cookie: {
      name: cookieName,
      bearerOf: (value, request) => bearerOfSession(sessions, cookieName(), value, request),
    },
    outside: async (request, address) => (await signIn(request, address)) ?? (await app?.(request)) ?? null,
  };
}

/** @throws Fault forbidden for a viewer who would change something */
async function bearerOfSession(
  sessions: BrowserSessions,
  cookieName: string,
  value: string,
  request: Request,
): Promise<Bearer | null> {
  // What becomes a socket has no answer that could bring the new cookie.
  const renew = request.headers.get('upgrade') === null;
  const holder = await sessions.holderOf(value, renew);
  if (holder === null) return null;
  const { pathname } = new URL(request.url);
  const holds = async () => (await sessions.holderOf(value, false)) !== null;
  const judged = bearerOfHolder(holder, pathname, request.method);
  const headers = { ...judged.headers, [SESSION_HEADER]: holder.sessionId };
  const bearer = { ...judged, headers, holds };
  if (!holder.renewed) return bearer;
  return { ...bearer, setCookie: sessionCookie(cookieName, value, holder.expiresAt - systemClock()) };
}
