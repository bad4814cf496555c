import type { Delivery } from './delivery.ts';
import { encodeEvent } from './stream-events.ts';

/** Long enough for the bytes written before a cut to leave the socket ahead of the reset. */
const FLUSH_MS = 10;
const encoder = new TextEncoder();

/** Waits, but not longer than until the signal is aborted. */
export async function waitMs(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}

interface Sending {
  chunkDelayMs: number;
  signal: AbortSignal;
  /** Called once all is sent or the connection is cut on purpose. */
  onEnd: () => void;
}

/** Sends the pieces one by one as the client takes them; a cut resets the connection at the end. */
function bodyOf(pieces: string[], cut: boolean, sending: Sending): ReadableStream<Uint8Array> {
  const { chunkDelayMs, signal, onEnd } = sending;
  let next = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next > 0) await waitMs(chunkDelayMs, signal);
        const piece = pieces[next];
        next += 1;
        if (piece !== undefined && !signal.aborted) controller.enqueue(encoder.encode(piece));
        if (next < pieces.length || signal.aborted) return;
        if (cut) await waitMs(FLUSH_MS, signal);
        onEnd();
        // Without a reason: the server prints any other one as if it had failed itself.
        if (cut) controller.error(undefined);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function errorResponse(
  delivery: Extract<Delivery, { kind: 'error' }>,
  headers: Record<string, string>,
): Response {
  const { errorType, message, status } = delivery;
  const error = { type: errorType, message };
  return Response.json(
    { type: 'error', error, request_id: headers['request-id'] },
    { status, headers: { ...headers, ...delivery.headers } },
  );
}

/** The HTTP answer of a delivery. A stream is sent event by event. */
export function respond(delivery: Delivery, requestId: string, sending: Sending): Response {
  const headers = { 'request-id': requestId };
  if (delivery.kind === 'stream') {
    const events = delivery.events.map(encodeEvent);
    const type = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    return new Response(bodyOf(events, delivery.cut, sending), {
      headers: { ...headers, ...type, ...delivery.headers },
    });
  }
  if (delivery.kind === 'json' && delivery.cut) {
    const text = JSON.stringify(delivery.body);
    const half = [text.slice(0, text.length / 2)];
    const type = { 'content-type': 'application/json' };
    return new Response(bodyOf(half, true, sending), { headers: { ...headers, ...type } });
  }
  sending.onEnd();
  if (delivery.kind === 'error') return errorResponse(delivery, headers);
  if (delivery.kind === 'json') return Response.json(delivery.body, { headers });
  const type = { 'content-type': 'text/html; charset=utf-8' };
  return new Response('<html><body>502 Bad Gateway</body></html>', { headers: { ...headers, ...type } });
}
