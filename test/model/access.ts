import type { Delivery } from './delivery.ts';
import { errorDelivery } from './delivery.ts';

const SIZE_LIMIT_BYTES = 32 * 1024 * 1024;
/** The one of older clients and gateways, and the one of today's client library. */
const VERSIONS = ['2023-06-01', '2026-10-21'];

/** What a server wants to see: a key (any when left out), and the header that holds it (either when left out). */
export interface Credentials {
  apiKey?: string | undefined;
  header?: 'x-api-key' | 'authorization' | undefined;
}

function credentialProblem(headers: Headers, { apiKey, header }: Credentials): string | null {
  const key = headers.get('x-api-key');
  const bearer = headers.get('authorization')?.match(/^Bearer\s+(.+)$/i)?.[1];
  const unwanted = header === 'x-api-key' ? bearer : header === 'authorization' ? key : undefined;
  if (unwanted) return `only the ${header} header is taken here`;
  if (!key && !bearer) return `${header ?? 'x-api-key'} header is required`;
  if (apiKey === undefined || key === apiKey || bearer === apiKey) return null;
  return key ? 'invalid x-api-key' : 'Invalid bearer token';
}

function versionProblem(version: string | null): string | null {
  if (!version) return 'anthropic-version: header is required';
  return VERSIONS.includes(version) ? null : `anthropic-version: "${version}" is not a valid version`;
}

/** Why a request is refused before its body is read as JSON, or null: credentials, version, size. */
export function accessRefusal(
  headers: Headers,
  bodyBytes: number,
  credentials: Credentials,
): Delivery | null {
  const problem = credentialProblem(headers, credentials);
  if (problem !== null) return errorDelivery(401, problem);
  const version = versionProblem(headers.get('anthropic-version'));
  if (version !== null) return errorDelivery(400, version);
  if (bodyBytes > SIZE_LIMIT_BYTES)
    return errorDelivery(413, `Request exceeds the maximum size of ${SIZE_LIMIT_BYTES} bytes`);
  return null;
}
