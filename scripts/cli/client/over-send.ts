import type { Hono } from 'hono';
import { hc } from 'hono/client';
import { withEncodedParams } from '../../../services/kit/encoded-params.ts';
import type { Send } from './send.ts';

/** The typed client's own idea of where the server is means nothing: `send` asks for that at each attempt. */
const BASE = 'http://server.invalid';

// biome-ignore lint/suspicious/noExplicitAny: the client's own constraint on an app of any environment and schema
type AnyApp = Hono<any, any, any>;

/** A service's typed client over `send`; an id is one segment of a path, whatever is in it. */
export function overSend<App extends AnyApp>(send: Send): ReturnType<typeof hc<App>> {
  const fetch = (input: string | URL | Request, init?: RequestInit) =>
    send(String(input).slice(BASE.length), init);
  return withEncodedParams(hc<App>(BASE, { fetch }));
}

export function keyed(key: string) {
  return { headers: { 'idempotency-key': key } };
}
