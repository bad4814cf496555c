import { createHash, randomBytes } from 'node:crypto';

/** What tells a run's token from a person's, to secret scanners too. */
export const RUN_TOKEN_PREFIX = 'ccr_';

/** Names the run for which a request is made; the edge alone sets it, from a run's token. */
export const RUN_HEADER = 'x-control-center-run';

/** 256 random bits. */
export function newRunToken(): string {
  return `${RUN_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** All that is kept of a token; hexadecimal SHA-256. A token is random, so that no salt or stretching is needed. */
export function runTokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
