import { createHash, randomBytes } from 'node:crypto';

/** A personal token: 256 random bits behind a prefix that secret scanners can know. */
export function newToken(): string {
  return `cc_${newSecret()}`;
}

/** 256 random bits, in characters that every URL and header can hold. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token; hexadecimal SHA-256. A token is random, so that no salt or stretching is needed. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
