import type { Actor } from '../../kit/actor.ts';
import { DEFAULT_CONCURRENCY, type RunsDeps } from '../deps.ts';
import { endCancelled, markCancelled } from '../runs/cancel.ts';
import { beginEpoch, claimNext, handOver } from '../runs/claim.ts';
import type { Run } from '../runs/schema.ts';
import { findRow, findRun, unfinishedOf } from '../runs/store.ts';
import { goesOnBelow } from '../runs/tree.ts';
import { AutoResume } from './auto-resume.ts';
import { executeRun } from './execute-run.ts';
import { LiveRun } from './live-run.ts';
import type { LiveStreams } from './live-streams.ts';

const PUMP_RETRY_MS = 1_000;
/** A cancelled tree that has not ended by then is left to whoever holds its runs. */
const CANCEL_LIMIT_MS = 2_000;
const CANCEL_POLL_MS = 50;

/** Runs the loops of this process: at most one for a run and a conversation, a bounded number in a workspace. */
export class Executor {
  readonly #epochs = new Map<string, Promise<number>>();
  readonly #live = new Map<string, LiveRun>();
  readonly #pumping = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #autoResume: AutoResume;

  constructor(
    private readonly deps: RunsDeps,
    private readonly streams: LiveStreams,
  ) {
    this.#autoResume = new AutoResume(deps, (workspaceId) => void this.pump(workspaceId));
  }

  /** Takes over the workspace's runs from whatever process had them, once in this process. */
  begin(workspaceId: string): Promise<number> {
    const known = this.#epochs.get(workspaceId);
    if (known) return known;
    const begun = this.#begin(workspaceId);
    this.#epochs.set(workspaceId, begun);
    begun.catch(() => this.#epochs.delete(workspaceId));
    return begun;
  }

  async #begin(workspaceId: string): Promise<number> {
    const epoch = await beginEpoch(await this.deps.databases.open(workspaceId));
    void this.#autoResume.look(workspaceId);
    return epoch;
  }

  /** Starts what may start now; safe to call at any time and any number of times. */
  pump(workspaceId: string): Promise<void> {
    this.#again.add(workspaceId);
    const running = this.#pumping.get(workspaceId);
    if (running) return running;
    const pumping = this.#pump(workspaceId);
    this.#pumping.set(workspaceId, pumping);
    return pumping;
  }

  async #pump(workspaceId: string): Promise<void> {
    try {
      while (this.#again.delete(workspaceId) && !this.#stopping.signal.aborted)
        await this.#pumpOnce(workspaceId);
    } finally {
      // In the same breath as the last look: a call between the two would be answered by nobody.
      this.#pumping.delete(workspaceId);
    }
  }

  async #pumpOnce(workspaceId: string): Promise<void> {
    try {
      await this.#startAll(workspaceId);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.deps.log.error({ err: error, workspaceId }, 'queued runs could not be started; trying again');
      await this.deps.databases.wakes.wait(`pump:${workspaceId}`, PUMP_RETRY_MS, this.#stopping.signal);
      this.#again.add(workspaceId);
    }
  }

  async #startAll(workspaceId: string): Promise<void> {
    const epoch = await this.begin(workspaceId);
    const limit = this.deps.concurrency ?? DEFAULT_CONCURRENCY;
    while (!this.#stopping.signal.aborted) {
      const runId = await claimNext(await this.deps.databases.open(workspaceId), epoch, limit);
      if (runId === null) return;
      // It has been taken while this process began to let go of all that it had.
      if (this.#stopping.signal.aborted) return this.#handOver(workspaceId, epoch);
      this.#launch(new LiveRun(workspaceId, runId, epoch));
    }
  }

  #launch(live: LiveRun): void {
    this.#live.set(live.runId, live);
    live.done = executeRun(this.deps, this.streams, live)
      .catch((error: unknown) => {
        if (!live.released) this.deps.log.error({ err: error, runId: live.runId }, 'a run was left');
      })
      .finally(() => {
        live.release();
        // A decision may have woken the run already: then its new loop stands there.
        if (this.#live.get(live.runId) === live) this.#live.delete(live.runId);
        this.streams.publish(live.runId, { type: 'left' });
        if (this.#stopping.signal.aborted) return;
        void this.#autoResume.look(live.workspaceId);
        void this.pump(live.workspaceId);
      });
  }

  /**
   * Ends the run and everything below it within two seconds, and withdraws what they asked of people; a run that has ended
   * already stays as it is.
   */
  async cancel(workspaceId: string, runId: string, by: Actor): Promise<Run> {
    const open = () => this.deps.databases.open(workspaceId);
    await findRow(await open(), runId);
    const ids = await markCancelled(await open(), { runId, scope: 'tree', by, at: this.deps.clock() });
    const giveUpAt = performance.now() + CANCEL_LIMIT_MS;
    await this.#endMarked(workspaceId, ids, giveUpAt);
    const withdrawn = Promise.all(ids.map((id) => this.#withdraw(workspaceId, id)));
    await Promise.race([withdrawn, this.#timeIsUp(giveUpAt)]);
    void this.pump(workspaceId);
    return findRun(await open(), runId);
  }

  /** Cancels what is below a run that came to an end before its sub-agents did; does not wait for their loops. */
  async cancelBelow(workspaceId: string, runId: string): Promise<void> {
    const database = await this.deps.databases.open(workspaceId);
    if (!(await goesOnBelow(database, runId))) return;
    const cancel = { runId, scope: 'below', by: 'service:runs', at: this.deps.clock() } as const;
    const ids = await markCancelled(database, cancel);
    for (const id of ids) this.#live.get(id)?.cancel();
    // Those without a loop are taken from the queue and end as cancelled.
    void this.pump(workspaceId);
  }

  #timeIsUp(giveUpAt: number): Promise<unknown> {
    return this.deps.databases.wakes.wait('cancel', giveUpAt - performance.now(), this.#stopping.signal);
  }

  async #endMarked(workspaceId: string, ids: readonly string[], giveUpAt: number): Promise<void> {
    for (;;) {
      const live = ids.map((id) => this.#live.get(id)).filter((run) => run !== undefined);
      for (const run of live) run.cancel();
      await Promise.race([Promise.all(live.map((run) => run.done)), this.#timeIsUp(giveUpAt)]);
      const database = await this.deps.databases.open(workspaceId);
      const left = await endCancelled(database, ids, this.deps.clock());
      if (left === 0 || performance.now() > giveUpAt) return;
      // One was just taken from the queue, and its loop is about to stand here.
      await this.deps.databases.wakes.wait(workspaceId, CANCEL_POLL_MS, this.#stopping.signal);
    }
  }

  /** At once, so that nobody decides what nobody waits for; where that fails, the run's end is told again. */
  async #withdraw(workspaceId: string, runId: string): Promise<void> {
    try {
      await this.deps.spaces.supersedeOfRun(workspaceId, runId, { planExit: true });
    } catch (error) {
      this.deps.log.warn({ err: error, runId }, 'what a cancelled run asked is withdrawn later');
    }
  }

  /** Cancels every run of a budget scope and says which. */
  async cancelScope(workspaceId: string, budgetScope: string, by: Actor): Promise<string[]> {
    const database = await this.deps.databases.open(workspaceId);
    const ids = await unfinishedOf(database, budgetScope);
    await Promise.all(ids.map((id) => this.cancel(workspaceId, id, by)));
    return ids;
  }

  /** The loop that this process has for the run. */
  liveOf(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  /** Lets go of every loop; what was at work is in the queue, for the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#autoResume.stop();
    const live = [...this.#live.values()];
    for (const run of live) run.release();
    await Promise.allSettled([...this.#pumping.values(), ...live.map((run) => run.done)]);
    const workspaces = new Map(live.map(({ workspaceId, epoch }) => [workspaceId, epoch]));
    await Promise.all([...workspaces].map(([id, epoch]) => this.#handOver(id, epoch)));
  }

  async #handOver(workspaceId: string, epoch: number): Promise<void> {
    try {
      await handOver(await this.deps.databases.open(workspaceId), epoch);
    } catch (error) {
      this.deps.log.warn({ err: error, workspaceId }, 'runs were not handed over; the next start takes them');
    }
  }
}
