import type { RunsDeps } from '../deps.ts';
import { nextResumeAt, resumeDue } from '../runs/pausing.ts';

/** A timer runs no longer than this; what is due later is looked at again then. */
const MOST_WAIT_MS = 60 * 60_000;
const RETRY_MS = 5_000;

/** Lets runs go on by themselves when their time has come. What is due stands in the rows; a timer is only a reminder. */
export class AutoResume {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #isStopped = false;

  constructor(
    private readonly deps: RunsDeps,
    private readonly pump: (workspaceId: string) => void,
  ) {}

  /** Lets go on what is due and sets the timer for what comes next; safe to call at any time. */
  async look(workspaceId: string): Promise<void> {
    if (this.#isStopped) return;
    try {
      const database = await this.deps.databases.open(workspaceId);
      const nextAt = await nextResumeAt(database);
      if (nextAt === null) return this.#set(workspaceId, null);
      const now = this.deps.clock();
      if (nextAt > now) return this.#set(workspaceId, nextAt - now);
      if ((await resumeDue(database, now)) > 0) this.pump(workspaceId);
      const laterAt = await nextResumeAt(database);
      this.#set(workspaceId, laterAt === null ? null : Math.max(1, laterAt - now));
    } catch (error) {
      if (this.#isStopped) return;
      this.deps.log.error({ err: error, workspaceId }, 'paused runs could not be looked at; trying again');
      this.#set(workspaceId, RETRY_MS);
    }
  }

  #set(workspaceId: string, waitMs: number | null): void {
    clearTimeout(this.#timers.get(workspaceId));
    this.#timers.delete(workspaceId);
    if (waitMs === null || this.#isStopped) return;
    const timer = setTimeout(() => void this.look(workspaceId), Math.min(waitMs, MOST_WAIT_MS));
    timer.unref();
    this.#timers.set(workspaceId, timer);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
