import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import { readSse } from '../../../services/kit/read-sse.ts';
import { isConnectionFailure, type Send } from './send.ts';

export interface FollowOptions {
  send: Send;
  workspaceId: string;
  /** Events after this sequence number are given. */
  afterSeq: number;
  signal: AbortSignal;
  /** Whether a person sits here who can decide what is asked: the server counts on those that do. */
  attending: boolean;
  /** Called when a stream that was open ends, before it is opened again. */
  onInterrupted?(): void;
  /** The server's heartbeat comes every ten seconds; a stream silent for this long is taken for dead. */
  silenceMs?: number;
}

/**
 * Every event of a workspace, in order, none lost and none twice, across restarts of the server: the stream is opened
 * again with the last id seen. Ends when the signal aborts; throws what `send` throws when patience ends.
 */
export async function* followEventStream(options: FollowOptions): AsyncGenerator<WorkspaceEvent> {
  let seq = options.afterSeq;
  while (!options.signal.aborted) {
    for await (const event of readOnce(options, seq)) {
      if (event.seq <= seq) continue;
      seq = event.seq;
      yield event;
    }
    if (options.signal.aborted) return;
    options.onInterrupted?.();
    await sleep(100, undefined, { signal: options.signal }).catch(ignoreAbort);
  }
}

/** One connection's events; a connection that fails or falls silent just ends. */
async function* readOnce(options: FollowOptions, seq: number): AsyncGenerator<WorkspaceEvent> {
  const connection = new AbortController();
  const signal = AbortSignal.any([options.signal, connection.signal]);
  const watchdog = createWatchdog(options.silenceMs ?? 35_000, () => connection.abort());
  try {
    const reader = options.attending ? '' : '&attending=0';
    const path = `/api/workspaces/${options.workspaceId}/events?after=${seq}&follow=1${reader}`;
    const headers = { accept: 'text/event-stream', 'last-event-id': String(seq) };
    const response = await options.send(path, { headers, signal });
    if (!response.body) return;
    for await (const message of readSse(watched(response.body, watchdog.reset))) {
      yield JSON.parse(message.data) as WorkspaceEvent;
    }
  } catch (error) {
    if (!signal.aborted && !isConnectionFailure(error)) throw error;
  } finally {
    watchdog.stop();
    connection.abort();
  }
}

function watched(body: ReadableStream<Uint8Array>, onBytes: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array, controller) {
        onBytes();
        controller.enqueue(chunk);
      },
    }),
  );
}

function createWatchdog(silenceMs: number, onSilence: () => void) {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}

function ignoreAbort(error: unknown): void {
  if ((error as { name?: unknown }).name !== 'AbortError') throw error;
}
