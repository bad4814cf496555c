import { hasFaultCode } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import type { Presence } from './presence.ts';
import { PresenceFeed, readItems } from './presence-feed.ts';
import { changeSince, type PresenceChange, type PresenceItem } from './presence-list.ts';

/** What one who follows is told: first everybody, then what has become different. */
export type PresenceNews =
  | { type: 'snapshot'; data: { items: readonly PresenceItem[] } }
  | { type: 'change'; data: PresenceChange };

interface SharedFeed {
  feed: PresenceFeed;
  readers: number;
}

/** Tells who is here. Those who follow one workspace share one feed, which is there while one of them is. */
export class PresenceHub {
  readonly #feeds = new Map<string, SharedFeed>();

  constructor(
    private readonly deps: SpacesDeps,
    private readonly presence: Presence,
  ) {}

  /** Who is here now; what agents are about is unknown while runs is away. */
  async list(workspaceId: string): Promise<PresenceItem[]> {
    await this.deps.databases.open(workspaceId);
    const activities = await this.deps.activities.read(workspaceId).catch((error: unknown) => {
      if (hasFaultCode(error, 'unavailable', 'timeout')) return null;
      throw error;
    });
    return readItems(this.deps, this.presence, workspaceId, activities);
  }

  /** Goes on until the signal. A reader that is slow is told the latest, and nothing is kept for it. */
  async *follow(workspaceId: string, signal: AbortSignal): AsyncGenerator<PresenceNews> {
    if (signal.aborted) return;
    const feed = this.#enter(workspaceId);
    // Not when this function is left: a reader that went away may never come back for more.
    signal.addEventListener('abort', () => void this.#leave(workspaceId), { once: true });
    const seen = new Map<string, string>();
    let isFirst = true;
    while (!signal.aborted) {
      const changed = feed.changed(signal);
      const { items } = feed;
      const change = items && changeSince(seen, items);
      if (items && isFirst) yield { type: 'snapshot', data: { items } };
      else if (change) yield { type: 'change', data: change };
      if (items) isFirst = false;
      await changed;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map(({ feed }) => feed.stop()));
  }

  #enter(workspaceId: string): PresenceFeed {
    const shared = this.#feeds.get(workspaceId) ?? {
      feed: new PresenceFeed(this.deps, this.presence, workspaceId),
      readers: 0,
    };
    this.#feeds.set(workspaceId, shared);
    shared.readers++;
    return shared.feed;
  }

  async #leave(workspaceId: string): Promise<void> {
    const shared = this.#feeds.get(workspaceId);
    if (!shared || --shared.readers > 0) return;
    this.#feeds.delete(workspaceId);
    await shared.feed.stop();
  }
}
