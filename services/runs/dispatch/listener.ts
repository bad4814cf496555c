import type { Database } from '../../kit/database/database.ts';
import { followEvents, type WorkspaceEvent } from '../../kit/database/event-log.ts';
import { tellOfBudget } from '../budgets/notices.ts';
import { followDelegations } from '../delegation/follow-delegations.ts';
import type { RunsDeps } from '../deps.ts';
import { isRunId } from '../runs/run.ts';
import { wakeWaiting } from '../runs/transitions.ts';
import { afterEnd } from './after-end.ts';
import { LazyCursor, readCursor } from './cursors.ts';
import { dispatchMessage } from './dispatch-message.ts';
import type { Executor } from './executor.ts';
import { followUp } from './follow-up.ts';
import { listWaiting, wakeIfDecided } from './wake.ts';

const CURSOR = 'dispatch';
const RETRY_MS = 1_000;
/** A workspace whose database cannot be opened is looked at this seldom in the end. */
const MOST_RETRY_MS = 60_000;
/** Workspaces made by another process are found by looking. */
const DISCOVERY_MS = 2_000;

/** Follows each workspace's events: messages that wake agents, decisions that runs wait for or agents go on after, ends of runs. */
export class Listener {
  readonly #following = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #discovery: ReturnType<typeof setInterval> | null = null;
  #unsubscribe: (() => void) | null = null;

  constructor(
    private readonly deps: RunsDeps,
    private readonly executor: Executor,
  ) {}

  async start(): Promise<void> {
    await Promise.all(this.deps.databases.list().map((id) => this.#tryTakeOver(id)));
    this.#unsubscribe = this.deps.databases.wakes.onWake((key) => {
      if (key.startsWith('ws_')) this.#follow(key);
    });
    this.#discovery = setInterval(() => this.#discover(), DISCOVERY_MS);
    this.#discovery.unref();
    this.#discover();
  }

  async stop(): Promise<void> {
    if (this.#discovery) clearInterval(this.#discovery);
    this.#unsubscribe?.();
    this.#stop.abort();
    await Promise.all(this.#following.values());
  }

  #discover(): void {
    for (const id of this.deps.databases.list()) this.#follow(id);
  }

  /** One workspace that cannot be opened does not keep the others from starting; following it tries again. */
  async #tryTakeOver(workspaceId: string): Promise<void> {
    await this.#takeOver(workspaceId).catch((error: unknown) =>
      this.deps.log.error({ err: error, workspaceId }, 'runs could not be taken over yet'),
    );
  }

  async #takeOver(workspaceId: string): Promise<void> {
    await this.executor.begin(workspaceId);
    const database = await this.deps.databases.open(workspaceId);
    for (const approvalId of await listWaiting(database)) {
      await wakeIfDecided(this.deps, workspaceId, database, approvalId).catch((error: unknown) =>
        this.deps.log.warn(
          { err: error, approvalId },
          'a decision could not be looked up; its event will tell',
        ),
      );
    }
    void this.executor.pump(workspaceId);
  }

  #follow(workspaceId: string): void {
    if (this.#stop.signal.aborted || this.#following.has(workspaceId)) return;
    this.#following.set(workspaceId, this.#followOn(workspaceId));
  }

  async #followOn(workspaceId: string): Promise<void> {
    let waitMs = RETRY_MS;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#takeOver(workspaceId);
        waitMs = RETRY_MS;
        await this.#followFrom(workspaceId);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.deps.log.error({ err: error, workspaceId }, 'following events failed; trying again');
        await this.deps.databases.wakes.wait(`retry:${workspaceId}`, waitMs, this.#stop.signal);
        waitMs = Math.min(waitMs * 2, MOST_RETRY_MS);
      }
    }
  }

  async #followFrom(workspaceId: string): Promise<void> {
    const open = () => this.deps.databases.open(workspaceId);
    const cursor = new LazyCursor(open, CURSOR, this.deps.log);
    const from = await readCursor(await open(), CURSOR);
    const { wakes } = this.deps.databases;
    try {
      for await (const event of followEvents(open, wakes, workspaceId, from, this.#stop.signal)) {
        await this.#handle(workspaceId, await open(), event);
        cursor.move(event.seq);
      }
    } finally {
      cursor.stop();
    }
  }

  async #handle(workspaceId: string, database: Database, event: WorkspaceEvent): Promise<void> {
    if (event.type === 'message.posted') {
      if (await dispatchMessage(this.deps, workspaceId, event)) void this.executor.pump(workspaceId);
      return;
    }
    if (startsSubagent(event)) void this.executor.pump(workspaceId);
    if (await tellOfBudget(this.deps, workspaceId, database, event)) void this.executor.pump(workspaceId);
    if (await followDelegations(this.deps, this.executor, workspaceId, database, event)) {
      void this.executor.pump(workspaceId);
    }
    if (event.type === 'run.ended') return afterEnd(this.deps, this.executor, workspaceId, event);
    if (event.type !== 'approval.decided' && event.type !== 'approval.superseded') return;
    const askedBy = typeof event.data.runId === 'string' ? event.data.runId : null;
    if (await wakeWaiting(database, event.subject, askedBy)) void this.executor.pump(workspaceId);
    if (event.type === 'approval.superseded') return;
    if (await followUp(this.deps, workspaceId, event)) void this.executor.pump(workspaceId);
  }
}

/** A sub-agent was made, or a client has begun to wait for one; a loop that does so leaves by itself, and is followed then. */
function startsSubagent({ type, data }: WorkspaceEvent): boolean {
  if (type === 'run.created') return typeof data.parentRunId === 'string';
  return type === 'run.tool' && typeof data.waitingFor === 'string' && isRunId(data.waitingFor);
}
