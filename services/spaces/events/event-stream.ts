import type { WorkspaceEvent } from '../../kit/database/event-log.ts';

export const HEARTBEAT_MS = 10_000;

export interface EventStreamOptions {
  /** Comments sent after this long without an event, so that no proxy takes the connection for dead. */
  heartbeatMs: number;
  /** Called once when somebody has begun to read. */
  onRead: () => void;
  /** Called when the reader is gone, or the source has ended or failed. */
  onClose: () => void;
}

/**
 * Server-sent events of a workspace: `id` is the sequence number, `event` the type, `data` the whole event. Nothing is
 * read ahead of the reader, so that a slow one costs a place in the log and no memory.
 */
export function eventStream(
  source: AsyncGenerator<WorkspaceEvent>,
  { heartbeatMs, onRead, onClose }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<WorkspaceEvent>> | null = null;
  let isRead = false;
  const send = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pending ??= source.next();
    const next = await firstOf(pending, heartbeatMs);
    if (next === 'heartbeat') return controller.enqueue(encoder.encode(': heartbeat\n\n'));
    pending = null;
    if (!next.done) return controller.enqueue(encoder.encode(frame(next.value)));
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
        if (!isRead) onRead();
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

function frame(event: WorkspaceEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
