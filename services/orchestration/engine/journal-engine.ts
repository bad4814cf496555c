import type { Clock } from '../../kit/clock.ts';
import type { Statement } from '../../kit/database/database.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import type { Log } from '../../kit/log.ts';
import { retryStep, skipStep } from './amend.ts';
import type { PipelineEngine, Plan, RunRef, StepHost } from './engine.ts';
import { type ClaimedStep, executeStep } from './execution.ts';
import { GroupCommits } from './group-commit.ts';
import { Journal } from './journal.ts';
import {
  afterTransitions,
  cancelRun,
  renewLease,
  resumeRun,
  signalGate,
  startRun,
  suspendRun,
  type Transition,
} from './transitions.ts';

export interface JournalEngineOptions {
  databases: WorkspaceDatabases;
  host: StepHost;
  clock: Clock;
  log: Log;
  /** Bodies at once in the process, and in one workspace. */
  concurrency?: number;
  workspaceConcurrency?: number;
  leaseMs?: number;
  /** First delay of a retry; it doubles with each attempt, to a minute. */
  retryBaseMs?: number;
}

interface LiveStep {
  step: ClaimedStep;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * The embedded engine: a journal in each workspace's database, one scheduling loop in the process. Nobody else writes
 * steps, so its own transitions wake the loop; one timer stands for the nearest backoff or lease. Workspaces take turns;
 * what a turn claims and what parallel steps come to is committed in groups.
 */
export class JournalEngine implements PipelineEngine {
  readonly #options: JournalEngineOptions;
  readonly #transitions: GroupCommits<Transition>;
  readonly #journals = new Map<string, Promise<Journal>>();
  readonly #turns = new Set<string>();
  readonly #dueAt = new Map<string, number>();
  readonly #live = new Map<string, LiveStep>();
  #poke: () => void = () => undefined;
  #isStopped = false;
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: JournalEngineOptions) {
    this.#options = options;
    this.#transitions = new GroupCommits((workspaceId) => options.databases.open(workspaceId), {
      statementsOf: (transition) => [transition.update],
      after: (transitions) => afterTransitions(transitions, options.clock()),
    });
  }

  /** Takes over every workspace and goes on with what was in flight. */
  open(): void {
    for (const workspaceId of this.#options.databases.list()) this.#wake(workspaceId);
    this.#heartbeat = setInterval(() => void this.#renewLeases(), this.#leaseMs / 3);
    this.#loop = this.#schedule();
  }

  async start(plan: Plan): Promise<void> {
    await this.#write(plan, 'pipeline.start', startRun(plan, this.#now));
  }

  async signal(run: RunRef, gate: string, payload: unknown): Promise<boolean> {
    const [stored] = await this.#write(run, 'step.signal', signalGate(run.runId, gate, payload, this.#now));
    return stored?.rowsAffected === 1;
  }

  async cancel(run: RunRef): Promise<void> {
    await this.#write(run, 'pipeline.cancel', cancelRun(run.runId, this.#now));
    for (const { step, abort } of this.#live.values()) {
      if (step.runId === run.runId) abort.abort(new Error('The pipeline was cancelled.'));
    }
  }

  async suspend(run: RunRef): Promise<void> {
    await this.#write(run, 'pipeline.suspend', suspendRun(run.runId, this.#now));
  }

  async resume(run: RunRef): Promise<void> {
    await this.#write(run, 'pipeline.resume', resumeRun(run.runId, this.#now));
  }

  async retry(run: RunRef, step: string): Promise<void> {
    await retryStep(() => this.#options.databases.open(run.workspaceId), run, step, this.#now);
    this.#wake(run.workspaceId);
  }

  async skip(run: RunRef, step: string): Promise<void> {
    await skipStep(() => this.#options.databases.open(run.workspaceId), run, step, this.#now);
    this.#wake(run.workspaceId);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    this.#poke();
    await this.#loop;
    const ended = [...this.#live.values()].map((live) => live.ended);
    for (const { abort } of this.#live.values()) abort.abort(new Error('The engine is stopping.'));
    await Promise.all(ended);
  }

  get #now(): number {
    return this.#options.clock();
  }

  get #leaseMs(): number {
    return this.#options.leaseMs ?? 30_000;
  }

  async #write(run: RunRef, label: string, statements: Statement[]) {
    const database = await this.#options.databases.open(run.workspaceId);
    const results = await database.write(label, statements);
    this.#wake(run.workspaceId);
    return results;
  }

  #wake(workspaceId: string): void {
    this.#turns.add(workspaceId);
    this.#poke();
  }

  async #schedule(): Promise<void> {
    while (!this.#isStopped) {
      const hasRoom = this.#live.size < (this.#options.concurrency ?? 64);
      const [workspaceId] = this.#turns;
      if (workspaceId === undefined || !hasRoom) await this.#rest();
      else await this.#takeTurn(workspaceId);
    }
  }

  async #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#poke = resolve;
    const nearest = Math.min(...this.#dueAt.values());
    const delayMs = Math.max(1, Math.min(nearest - this.#now, 2 ** 31 - 1));
    const timer = Number.isFinite(nearest) ? setTimeout(resolve, delayMs) : null;
    await promise;
    if (timer) clearTimeout(timer);
    for (const [workspaceId, dueAt] of this.#dueAt) {
      if (dueAt > this.#now) continue;
      this.#dueAt.delete(workspaceId);
      this.#turns.add(workspaceId);
    }
  }

  // A workspace that had something goes to the end of the queue, so that a large plan does not hold up the others.
  async #takeTurn(workspaceId: string): Promise<void> {
    this.#turns.delete(workspaceId);
    this.#dueAt.delete(workspaceId);
    try {
      const journal = await this.#journal(workspaceId);
      // One moment for both looks: what became due between two would be seen by neither, and nothing else wakes for it.
      const at = this.#now;
      const steps = await this.#claim(journal, at);
      for (const step of steps) this.#launch(step);
      if (steps.length > 0) {
        this.#turns.add(workspaceId);
        return;
      }
      const dueAt = await journal.nextDueAt(at);
      if (dueAt !== null) this.#dueAt.set(workspaceId, dueAt);
    } catch (error) {
      this.#options.log.error(
        { err: error, workspaceId },
        'the pipeline journal cannot be read; trying again',
      );
      this.#dueAt.set(workspaceId, this.#now + 1_000);
    }
  }

  async #claim(journal: Journal, at: number): Promise<ClaimedStep[]> {
    const { concurrency = 64, workspaceConcurrency = 16 } = this.#options;
    await journal.expire(at);
    const live = [...this.#live.values()].filter(({ step }) => step.workspaceId === journal.workspaceId);
    const room = Math.min(concurrency - this.#live.size, workspaceConcurrency - live.length);
    return room > 0 ? journal.claim(room, at, at + this.#leaseMs) : [];
  }

  #journal(workspaceId: string): Promise<Journal> {
    const known = this.#journals.get(workspaceId);
    if (known) return known;
    const { databases } = this.#options;
    const taking = Journal.take(workspaceId, () => databases.open(workspaceId), this.#now);
    this.#journals.set(workspaceId, taking);
    taking.catch(() => this.#journals.delete(workspaceId));
    return taking;
  }

  #launch(step: ClaimedStep): void {
    const id = `${step.runId}/${step.step}/${step.fence}`;
    const abort = new AbortController();
    const ended = this.#execute(step, abort).finally(() => {
      this.#live.delete(id);
      this.#wake(step.workspaceId);
    });
    this.#live.set(id, { step, abort, ended });
  }

  async #execute(step: ClaimedStep, abort: AbortController): Promise<void> {
    const { host, clock, log, retryBaseMs = 250 } = this.#options;
    const write = (transition: Transition) =>
      this.#transitions.write(step.workspaceId, transition.label, transition);
    try {
      await executeStep({ write, host, clock, retryBaseMs }, step, abort);
    } catch (error) {
      log.error({ err: error, step: step.step, runId: step.runId }, 'a step transition could not be written');
    }
  }

  async #renewLeases(): Promise<void> {
    for (const { step, abort } of [...this.#live.values()]) {
      try {
        const [renewed] = await this.#write(step, 'step.heartbeat', [
          renewLease(step, this.#now + this.#leaseMs),
        ]);
        if (renewed?.rowsAffected !== 1) abort.abort(new Error('Another process has taken this step over.'));
      } catch (error) {
        this.#options.log.error({ err: error, step: step.step }, 'a step lease could not be renewed');
      }
    }
  }
}
