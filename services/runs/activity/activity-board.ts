import { Wakes } from '../../kit/wakes.ts';
import type { RunsDeps } from '../deps.ts';
import type { LiveItem } from '../dispatch/live-streams.ts';
import { type AgentActivity, activityOf, type RunningTool } from './activity.ts';
import { activeRuns } from './store.ts';

/** Between two looks of one reader, so that a burst of changes is read once. */
const PAUSE_MS = 50;
/** A look without a wake, for what no commit and no loop tells of. */
const POLL_MS = 10_000;
const HEARD = 'heard';

/**
 * What agents are about: the runs as they are kept, so that it holds right after a restart, and of those with a loop in this
 * process the calls that are being made.
 */
export class ActivityBoard {
  readonly #running = new Map<string, Map<string, RunningTool>>();
  readonly #heard = new Wakes();
  readonly #stopping = new AbortController();

  constructor(private readonly deps: RunsDeps) {}

  /** Takes the live news of every run. */
  heard(runId: string, item: LiveItem): void {
    if (item.type === 'toolStarted') {
      const calls = this.#running.get(runId) ?? new Map<string, RunningTool>();
      this.#running.set(runId, calls.set(item.callId, { name: item.name, at: this.deps.clock() }));
    } else if (item.type === 'toolFinished') {
      this.#running.get(runId)?.delete(item.callId);
    } else if (item.type === 'left') {
      this.#running.delete(runId);
    } else {
      return;
    }
    this.#heard.wake(HEARD);
  }

  async read(workspaceId: string): Promise<AgentActivity[]> {
    const runs = await activeRuns(await this.deps.databases.open(workspaceId));
    return runs.map((run) => activityOf(run, this.#lastBegun(run.runId)));
  }

  #lastBegun(runId: string): RunningTool | undefined {
    return [...(this.#running.get(runId)?.values() ?? [])].at(-1);
  }

  /** What holds now, and again whenever that has changed, until the signal or the service's own end. */
  async *follow(workspaceId: string, gone: AbortSignal): AsyncGenerator<AgentActivity[]> {
    const signal = AbortSignal.any([gone, this.#stopping.signal]);
    let last = '';
    while (!signal.aborted) {
      const changed = this.#change(workspaceId, signal);
      const activities = await this.read(workspaceId).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (activities === null) return;
      const text = JSON.stringify(activities);
      if (text !== last) yield activities;
      last = text;
      await this.#heard.wait('pause', PAUSE_MS, signal);
      await changed;
    }
  }

  /** Ends every reader. */
  stop(): void {
    this.#stopping.abort();
  }

  /** The next commit of the workspace, or the next word of a loop. */
  async #change(workspaceId: string, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    await Promise.race([
      this.deps.databases.wakes.wait(workspaceId, POLL_MS, either),
      this.#heard.wait(HEARD, POLL_MS, either),
    ]);
    over.abort();
  }
}
