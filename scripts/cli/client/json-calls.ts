import { keyed } from './over-send.ts';
import type { Send } from './send.ts';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls whose answers are JSON. */
export function jsonCalls(send: Send) {
  return {
    get: async <T>(path: string): Promise<T> => (await send(path)).json() as Promise<T>,
    write: async <T>(method: Method, path: string, body: unknown, key: string): Promise<T> => {
      const headers = { ...keyed(key).headers, 'content-type': 'application/json' };
      return (await send(path, { method, headers, body: JSON.stringify(body) })).json() as Promise<T>;
    },
  };
}

export function workspacePath(workspaceId: string, ...segments: string[]): string {
  return ['/api/workspaces', workspaceId, ...segments.map(encodeURIComponent)].join('/');
}

/** Without what is undefined. */
export function queryText(query: Record<string, string | number | undefined>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}
