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
  return { url: `${client.url}/sign-in#code=${code}`, expiresAt, memberId };
}
