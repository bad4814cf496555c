import { useEffect, useSyncExternalStore } from 'react';
import type { RunStreamItem } from '../../../services/runs/dispatch/follow-run.ts';
import { openStream } from '../../live/live.ts';
import { hearing, type LiveRun, SILENT } from './live-run.ts';
import { refreshSteps } from './run-data.ts';

/** A frame of a page that is not looked at never comes; its words wait at most so long. */
const HIDDEN_FRAME_MS = 250;
const TURNS: ReadonlySet<RunStreamItem['type']> = new Set([
  'answered',
  'toolStarted',
  'toolFinished',
  'left',
]);

/** What one run says, brought together once a frame however fast it speaks. */
class RunFeed {
  live: LiveRun = SILENT;
  readonly #listeners = new Set<() => void>();
  #waiting: { item: RunStreamItem; at: number }[] = [];
  #isScheduled = false;
  #close: (() => void) | null = null;

  constructor(
    private readonly ws: string,
    private readonly runId: string,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop();
      feeds.delete(this.runId);
    };
  };

  /** Listens, or goes on listening; a stream that ended because the run left its loop begins anew. */
  start(): void {
    if (this.#close !== null) return;
    this.#close = openStream(`/api/workspaces/${this.ws}/runs/${this.runId}/stream`, {
      onMessage: (_event, data) => this.#take(data as RunStreamItem),
      onEnd: () => this.#over(),
      onProblem: () => this.#over(),
    });
  }

  #stop(): void {
    this.#close?.();
    this.#over();
  }

  #over(): void {
    this.#close = null;
    refreshSteps(this.ws, this.runId);
  }

  #take(item: RunStreamItem): void {
    this.#waiting.push({ item, at: Date.now() });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (document.hidden) setTimeout(() => this.#tell(), HIDDEN_FRAME_MS);
    else requestAnimationFrame(() => this.#tell());
  }

  #tell(): void {
    this.#isScheduled = false;
    const items = this.#waiting;
    this.#waiting = [];
    this.live = items.reduce((live, { item, at }) => hearing(live, item, at), this.live);
    for (const listener of this.#listeners) listener();
    if (items.some(({ item }) => TURNS.has(item.type) || item.type === 'snapshot'))
      refreshSteps(this.ws, this.runId);
  }
}

const feeds = new Map<string, RunFeed>();

function feedOf(ws: string, runId: string): RunFeed {
  const feed = feeds.get(runId) ?? new RunFeed(ws, runId);
  feeds.set(runId, feed);
  return feed;
}

/**
 * What a run says this moment.
 * @param node changes with each word of the run's state, so that one that goes on after a wait is heard again
 */
export function useLiveRun(ws: string, node: { id: string; state: string }): LiveRun {
  const feed = feedOf(ws, node.id);
  const live = useSyncExternalStore(feed.subscribe, () => feed.live);
  useEffect(() => {
    if (node.state === 'running' || node.state === 'queued') feed.start();
  }, [feed, node]);
  return live;
}
