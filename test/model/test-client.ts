import Anthropic from '@anthropic-ai/sdk';
import type { ModelScript, TurnSource } from './script.ts';

/** A script with one dialogue that answers every request. */
export function scriptOf(...turns: TurnSource[]): ModelScript {
  return { name: 'test', dialogues: [{ name: 'all', when: {}, turns }] };
}

/** The real client against the stand-in; retries only when asked to. */
export function clientOf(url: string, maxRetries = 0, apiKey = 'test-key'): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries, logLevel: 'off' });
}

export const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file',
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
};

export const HELLO = {
  model: 'claude-opus-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

/** Posts a raw body as the API expects it, with other headers when given. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'test-key', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
