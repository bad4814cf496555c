import type { Delivery } from './delivery.ts';
import { errorDelivery } from './delivery.ts';

const SIZE_LIMIT_BYTES = 32 * 1024 * 1024;

function credentialProblem(headers: Headers, apiKey: string | undefined): string | null {
  const key = headers.get('x-api-key');
  const bearer = headers.get('authorization')?.match(/^Bearer\s+(.+)$/i)?.[1];
  if (!key && !bearer) return 'x-api-key header is required';
  if (apiKey === undefined || key === apiKey || bearer === apiKey) return null;
  return key ? 'invalid x-api-key' : 'Invalid bearer token';
}

/** Why a request is refused before its body is read as JSON, or null: credentials, version, size. */
export function accessRefusal(
  headers: Headers,
  bodyBytes: number,
  apiKey: string | undefined,
): Delivery | null {
  const problem = credentialProblem(headers, apiKey);
  if (problem !== null) return errorDelivery(401, problem);
  if (!headers.get('anthropic-version')) return errorDelivery(400, 'anthropic-version: header is required');
  if (bodyBytes > SIZE_LIMIT_BYTES)
    return errorDelivery(413, `Request exceeds the maximum size of ${SIZE_LIMIT_BYTES} bytes`);
  return null;
}
