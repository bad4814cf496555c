import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import { followEventStream } from '../client/event-stream.ts';
import { readPastEvents } from '../client/past-events.ts';
import type { Send } from '../client/send.ts';

export interface ChangesOptions {
  send: Send;
  workspaceId: string;
  afterSeq: number;
  signal: AbortSignal;
  attending: boolean;
  onEvent(event: WorkspaceEvent): void;
  onInterrupted(): void;
}

export interface Changes {
  /**
   * Resolves when something happened since the last call, or after a while in any case, `mostMs` at the latest.
   * @throws what the stream threw
   */
  next(mostMs: number): Promise<void>;
  /** A signal that aborts at the next event about `subject`. */
  settled(subject: string): { signal: AbortSignal; release(): void };
  /** Stops following; with `drain`, first tells the events that came before the end and were still under way. */
  stop(drain: boolean): Promise<void>;
}

/** Events come in bursts; the state is read once for all that came meanwhile. */
const BURST_MS = 100;
/** The stream tells of every change; this is for a stream that is being opened again. */
const LOOK_AGAIN_MS = 5_000;

/** Follows the workspace's events in the background and tells when to look at the state again. */
export function followChanges(options: ChangesOptions): Changes {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const watched = new Map<string, AbortController>();
  let changed = Promise.withResolvers<void>();
  let seq = options.afterSeq;
  const tell = (event: WorkspaceEvent) => {
    seq = event.seq;
    options.onEvent(event);
  };
  const pump = async () => {
    for await (const event of followEventStream({ ...options, signal })) {
      tell(event);
      watched.get(event.subject)?.abort();
      changed.resolve();
    }
  };
  const pumping = pump();
  const failed = pumping.then(() => signal.throwIfAborted());
  failed.catch(() => undefined);
  return {
    async next(mostMs) {
      await Promise.race([changed.promise, failed, wait(Math.min(LOOK_AGAIN_MS, mostMs), signal)]);
      changed = Promise.withResolvers();
      await Promise.race([failed, wait(BURST_MS, signal)]);
      options.signal.throwIfAborted();
    },
    settled(subject) {
      const controller = new AbortController();
      watched.set(subject, controller);
      return {
        signal: AbortSignal.any([controller.signal, options.signal]),
        release: () => watched.delete(subject),
      };
    },
    async stop(drain) {
      stopping.abort();
      await pumping.catch(() => undefined);
      if (!drain) return;
      for await (const event of readPastEvents(options.send, options.workspaceId, seq)) tell(event);
    },
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
