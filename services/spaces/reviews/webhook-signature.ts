import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * Whether a delivery was signed with the secret; in constant time.
 * @param header the value of X-Hub-Signature-256
 */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const given = SIGNATURE.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  const right = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), right);
}
