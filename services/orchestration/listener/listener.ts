import pRetry from 'p-retry';
import { followEvents, type WorkspaceEvent } from '../../kit/database/event-log.ts';
import type { Bench } from '../bench.ts';
import { isPassing } from '../lanes.ts';
import { readCursor, saveCursor } from './cursor.ts';
import { HANDLERS } from './handlers.ts';

/** Finds what another process committed; commits of this one wake the listener at once. */
const POLL_MS = 1_000;
/** Events that concern nobody here are entered in the cursor now and then only. */
const IDLE_CURSOR_STEP = 500;

/** Follows every workspace's events from where the last process stopped, each in order. */
export class Listener {
  readonly #following = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #unsubscribe: () => void = () => undefined;

  constructor(private readonly bench: Bench) {}

  start(): void {
    const { databases } = this.bench;
    this.#unsubscribe = databases.wakes.onWake((key) => key.startsWith('ws_') && this.#follow(key));
    for (const workspaceId of databases.list()) this.#follow(workspaceId);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    await Promise.all(this.#following.values());
  }

  #follow(workspaceId: string): void {
    if (this.#following.has(workspaceId) || this.#stop.signal.aborted) return;
    const following = this.#run(workspaceId).catch((error: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.bench.log.error(
        { err: error, workspaceId },
        'events can no longer be followed until the next change',
      );
      this.#following.delete(workspaceId);
    });
    this.#following.set(workspaceId, following);
  }

  async #run(workspaceId: string): Promise<void> {
    const { databases } = this.bench;
    const open = () => databases.open(workspaceId);
    let saved = await readCursor(await open());
    const events = followEvents(open, databases.wakes, workspaceId, saved, this.#stop.signal, POLL_MS);
    for await (const event of events) {
      const concerns = Object.hasOwn(HANDLERS, event.type);
      if (concerns) await this.#handle(workspaceId, event);
      if (!concerns && event.seq - saved < IDLE_CURSOR_STEP) continue;
      await saveCursor(await open(), event.seq);
      saved = event.seq;
    }
  }

  // An event is never passed over while it may still succeed; one that cannot is logged, and the next start looks again at
  // everything unfinished.
  async #handle(workspaceId: string, event: WorkspaceEvent): Promise<void> {
    const { seq, type, subject } = event;
    try {
      await pRetry(async () => HANDLERS[type]?.(this.bench, workspaceId, event), {
        retries: 10_000,
        minTimeout: 200,
        maxTimeout: 30_000,
        signal: this.#stop.signal,
        shouldRetry: ({ error }) => isPassing(error),
        onFailedAttempt: ({ error }) =>
          this.bench.log.warn({ err: error, seq, type }, 'an event waits to be handled'),
      });
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      this.bench.log.error({ err: error, seq, type, subject, workspaceId }, 'an event could not be handled');
    }
  }
}
