import { Fault } from '../kit/fault.ts';
import { faultOfResponse } from '../kit/problem.ts';
import { readSse, type SseMessage } from '../kit/read-sse.ts';
import { requireStreamPath } from './stream-path.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** A stream of the HTTP API that somebody opens. */
export interface StreamWish {
  path: string;
  lastEventId?: string | undefined;
}

/**
 * Asks for a stream as everybody asks for it, and gives its messages. Nothing is read ahead of whoever takes them.
 * @param handle answers a request that passed the edge
 * @param identity headers in which the edge says whose request it is
 * @throws Fault that the stream was refused with
 */
export async function openStream(
  handle: Handler,
  identity: Readonly<Record<string, string>>,
  { path, lastEventId }: StreamWish,
  signal: AbortSignal,
): Promise<AsyncGenerator<SseMessage>> {
  requireStreamPath(path);
  const headers = { ...identity, accept: 'text/event-stream', ...lastSeen(lastEventId) };
  const response = await handle(new Request(`http://live.invalid${path}`, { headers, signal }));
  if (!response.ok) throw await faultOfResponse(response);
  if (response.body === null) throw new Fault('unavailable', `${path} answered with nothing to read.`);
  return readSse(response.body);
}

function lastSeen(lastEventId: string | undefined): Record<string, string> {
  return lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
}
