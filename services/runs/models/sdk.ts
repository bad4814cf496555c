import Anthropic from '@anthropic-ai/sdk';
import { addressOf, type ModelEndpoint } from './endpoint.ts';

/**
 * The client library for an endpoint: what it sends is what the endpoint says, and nothing that the library would find by
 * itself in the environment. It tries once, and follows no redirection, which could carry the key to another host.
 */
export function createSdk(endpoint: ModelEndpoint): Anthropic {
  const { apiKey, auth, headers, apiVersion } = endpoint;
  // Servers of one's own often want no key, but the library looks for credentials elsewhere when it is given none.
  const key = apiKey ?? 'none';
  const credential = auth === 'x-api-key' ? { authorization: null, 'x-api-key': key } : {};
  const version = apiVersion === null ? {} : { 'anthropic-version': apiVersion };
  return new Anthropic({
    baseURL: addressOf(endpoint),
    apiKey: key,
    maxRetries: 0,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    defaultHeaders: { ...withoutEnvironment(), ...version, ...credential, ...headers },
  });
}

// The library adds the headers of this variable to every client, whichever server that one is for.
function withoutEnvironment(): Record<string, null> {
  const lines = (process.env.ANTHROPIC_CUSTOM_HEADERS ?? '').split('\n');
  const names = lines.map((line) => line.slice(0, Math.max(0, line.indexOf(':'))).trim());
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, null]));
}
