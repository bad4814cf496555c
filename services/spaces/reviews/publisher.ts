import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { pursueAsked } from './asked-publication.ts';
import { changePublication, findPublication, unfinishedPublications } from './publication-store.ts';
import { attemptPublication } from './publish-attempt.ts';
import { SELF } from './self.ts';
import type { Publication, PublicationFault } from './verdict-schema.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** A request that is under way at the end may be cut off: the next start finds out what became of it. */
const STOP_PATIENCE_MS = 2_000;

/**
 * Brings verdicts to the provider. What is to be done stands in the publications' rows and their approvals: it looks there at
 * the start, after each verdict, and at every commit of a workspace in which one waits for a person.
 */
export class Publisher {
  /** Workspaces in which a publication waits for a person. */
  readonly #waiting = new Set<string>();
  readonly #looks = new Map<string, { again: boolean }>();
  readonly #attempts = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, { count: number; timer: Timer | null }>();
  readonly #stop = new AbortController();
  #unsubscribe: () => void = () => undefined;

  constructor(private readonly deps: SpacesDeps) {}

  start(): void {
    const { databases } = this.deps;
    this.#unsubscribe = databases.wakes.onWake((key) => this.#waiting.has(key) && this.look(key));
    for (const workspaceId of databases.list()) this.look(workspaceId);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    for (const { timer } of this.#retries.values()) if (timer) clearTimeout(timer);
    const ended = Promise.all(this.#attempts.values());
    await Promise.race([ended, wait(STOP_PATIENCE_MS, undefined, { ref: false })]);
  }

  /** Goes on with whatever is unfinished in the workspace; the caller need not wait. */
  look(workspaceId: string): void {
    const looking = this.#looks.get(workspaceId);
    if (looking) looking.again = true;
    else if (!this.#stop.signal.aborted) void this.#look(workspaceId);
  }

  /** Attempts one that is pending; resolves when the attempt is over, whatever came of it. */
  attempt(workspaceId: string, verdictId: string): Promise<void> {
    const running = this.#attempts.get(verdictId);
    if (running) return running;
    const attempt = this.#attempt(workspaceId, verdictId).finally(() => this.#attempts.delete(verdictId));
    this.#attempts.set(verdictId, attempt);
    return attempt;
  }

  async #look(workspaceId: string): Promise<void> {
    const look = { again: true };
    this.#looks.set(workspaceId, look);
    try {
      while (look.again && !this.#stop.signal.aborted) {
        look.again = false;
        await this.#pursue(workspaceId);
      }
    } catch (error) {
      this.deps.log.error({ err: error, workspaceId }, 'publications could not be looked at');
    } finally {
      this.#looks.delete(workspaceId);
    }
  }

  async #pursue(workspaceId: string): Promise<void> {
    const database = await this.deps.databases.open(workspaceId);
    const asked = (await unfinishedPublications(database)).filter(({ state }) => state === 'asked');
    // Before they are looked at, so that a decision that comes meanwhile is not missed.
    if (asked.length > 0) this.#waiting.add(workspaceId);
    for (const publication of asked) await pursueAsked(this.deps, database, publication);
    const unfinished = await unfinishedPublications(database);
    if (!unfinished.some(({ state }) => state === 'asked')) this.#waiting.delete(workspaceId);
    for (const { verdictId, state } of unfinished) {
      if (state === 'pending' && !this.#retries.get(verdictId)?.timer) {
        void this.attempt(workspaceId, verdictId);
      }
    }
  }

  async #attempt(workspaceId: string, verdictId: string): Promise<void> {
    try {
      const database = await this.deps.databases.open(workspaceId);
      const publication = await findPublication(database, verdictId);
      if (publication?.state !== 'pending') {
        this.#retries.delete(verdictId);
        return;
      }
      await attemptPublication(this.deps, database, publication, (sinceMs) => this.#settled(sinceMs)).catch(
        (error: unknown) => this.#failed(workspaceId, database, publication, error),
      );
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.deps.log.error({ err: error, workspaceId, verdictId }, 'a publication could not be attempted');
      this.#retry(workspaceId, verdictId, 0);
    }
  }

  async #settled(sinceMs: number): Promise<void> {
    const restMs = sinceMs + this.deps.pullRequests.settleMs - this.deps.clock();
    if (restMs > 0) await wait(restMs, undefined, { signal: this.#stop.signal });
  }

  async #failed(workspaceId: string, database: Database, before: Publication, error: unknown): Promise<void> {
    if (!(error instanceof Fault) || !error.code.startsWith('provider_')) throw error;
    const { code, message, retryable, detail } = error;
    const fault: PublicationFault = { code, message, retryable };
    const state = retryable ? ('pending' as const) : ('failed' as const);
    const isTold = before.state === state && before.fault?.code === code;
    if (!isTold) await changePublication(database, before, { state, fault }, SELF, this.deps.clock());
    if (retryable) this.#retry(workspaceId, before.verdictId, Number(detail.retryAfterMs ?? 0));
  }

  #retry(workspaceId: string, verdictId: string, leastMs: number): void {
    if (this.#stop.signal.aborted) return;
    const before = this.#retries.get(verdictId);
    // Somebody's own attempt in between takes the place of the one that is set, and is no reason to wait longer.
    if (before?.timer) clearTimeout(before.timer);
    const count = before?.timer ? before.count : (before?.count ?? 0) + 1;
    const delayMs = Math.max(leastMs, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (count - 1)));
    const timer = setTimeout(() => {
      this.#retries.set(verdictId, { count, timer: null });
      void this.attempt(workspaceId, verdictId);
    }, delayMs);
    this.#retries.set(verdictId, { count, timer });
  }
}
