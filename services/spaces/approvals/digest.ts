import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';

/** What a decision is bound to: SHA-256 of the canonical JSON of kind and arguments, hexadecimal. */
export function approvalDigest(kind: string, args: Record<string, unknown>): string {
  return createHash('sha256')
    .update(canonicalJson({ kind, arguments: args }))
    .digest('hex');
}
