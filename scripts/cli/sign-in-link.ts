import { BROWSER_HOST } from '../../services/web/browser-host.ts';
import type { Client } from './client/client.ts';

export interface SignInLink {
  /** The code is in the fragment, which no server and no log sees. */
  url: string;
  expiresAt: number;
  memberId: string;
}

/** A link that signs a browser in, once. */
export async function newSignInLink(
  client: Client,
  wish: { memberId?: string; validForMs?: number },
): Promise<SignInLink> {
  const { code, expiresAt, memberId } = await client.newSignInCode(wish);
  return { url: `${browserOrigin(client.url)}/sign-in#code=${code}`, expiresAt, memberId };
}

/**
 * A browser sends the cookies of a host to all of its ports, so to what an agent serves on another port of this machine.
 * Nobody opens that by a name of our own, which browsers take to this machine as they do all below localhost.
 */
function browserOrigin(url: string): string {
  const { protocol, hostname, port, origin } = new URL(url);
  return ['127.0.0.1', 'localhost'].includes(hostname) ? `${protocol}//${BROWSER_HOST}:${port}` : origin;
}
