import { redact } from './output.ts';

/** A JSON value with every known secret in its texts and names replaced. */
export function redactedJson<T>(value: T, secrets: readonly string[]): T {
  return replaced(value, secrets) as T;
}

function replaced(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => replaced(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, part]) => [redact(key, secrets), replaced(part, secrets)]);
  return Object.fromEntries(members);
}
