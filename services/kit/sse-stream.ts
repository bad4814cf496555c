/** Comments are sent this often, so that no proxy takes a quiet connection for dead. */
export const HEARTBEAT_MS = 10_000;

/** Headers of an answer that goes on for as long as its reader stays. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export interface SseOptions {
  /** Comments sent after this long without a frame. */
  heartbeatMs: number;
  /** Called once when somebody has begun to read. */
  onRead?: () => void;
  /** Called when the reader is gone, or the source has ended or failed. */
  onClose: () => void;
}

/** One message; `data` is sent as JSON on one line. */
export function sseFrame(event: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Server-sent events. Nothing is read ahead of the reader, so that a slow one costs a place in its source and no memory.
 */
export function sseStream(
  frames: AsyncGenerator<string>,
  { heartbeatMs, onRead, onClose }: SseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string>> | null = null;
  let isRead = false;
  const send = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pending ??= frames.next();
    const next = await firstOf(pending, heartbeatMs);
    if (next === 'heartbeat') return controller.enqueue(encoder.encode(': heartbeat\n\n'));
    pending = null;
    if (!next.done) return controller.enqueue(encoder.encode(next.value));
    controller.close();
    onClose();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(': open\n\n'));
      },
      // Not before the first chunk is taken: whoever asks and does not read is not there.
      async pull(controller) {
        if (!isRead) onRead?.();
        isRead = true;
        try {
          await send(controller);
        } catch (error) {
          onClose();
          throw error;
        }
      },
      cancel: onClose,
    },
    { highWaterMark: 1 },
  );
}

async function firstOf<T>(pending: Promise<T>, heartbeatMs: number): Promise<T | 'heartbeat'> {
  const { promise, resolve } = Promise.withResolvers<'heartbeat'>();
  const timer = setTimeout(() => resolve('heartbeat'), heartbeatMs);
  try {
    return await Promise.race([pending, promise]);
  } finally {
    clearTimeout(timer);
  }
}
