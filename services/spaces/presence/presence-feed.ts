import { setTimeout as sleep } from 'node:timers/promises';
import { Wakes } from '../../kit/wakes.ts';
import { agentTitles } from '../agents/store.ts';
import type { SpacesDeps } from '../deps.ts';
import { findMembers } from '../members/store.ts';
import type { AgentActivity } from './activities-port.ts';
import type { Presence } from './presence.ts';
import { type PresenceItem, presenceList } from './presence-list.ts';

/** Between two looks, so that a burst of changes is told once. */
const PAUSE_MS = 100;
/** Without a wake; finds what another process committed to the roster. */
const POLL_MS = 2_000;
/** The first look waits so long for what agents are about. */
const FIRST_MS = 1_000;
const RETRY_MS = 500;
const MOST_RETRY_MS = 5_000;

/** Who is here in one workspace, kept up to date for everybody who follows it. */
export class PresenceFeed {
  readonly #stop = new AbortController();
  readonly #wakes = new Wakes();
  readonly #unsubscribe: () => void;
  readonly #done: Promise<unknown>;
  #activities: readonly AgentActivity[] | null = null;
  /** Null until the first look. */
  items: readonly PresenceItem[] | null = null;

  constructor(
    private readonly deps: SpacesDeps,
    private readonly presence: Presence,
    private readonly workspaceId: string,
  ) {
    this.#unsubscribe = presence.onChange((id) => {
      if (id === workspaceId) this.#wakes.wake('look');
    });
    this.#done = Promise.all([this.#keepActivities(), this.#keepItems()]);
  }

  /** Resolves when the items were made anew, or with the signal. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#wakes.wait('items', POLL_MS, signal);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    await this.#done;
  }

  async #keepItems(): Promise<void> {
    const { signal } = this.#stop;
    await this.#wakes.wait('first', FIRST_MS, signal);
    while (!signal.aborted) {
      const dirty = this.#dirty();
      await this.#look();
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      await dirty;
    }
  }

  async #look(): Promise<void> {
    try {
      this.items = await readItems(this.deps, this.presence, this.workspaceId, this.#activities);
      this.#wakes.wake('items');
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.deps.log.warn({ err: error, workspaceId: this.workspaceId }, 'who is here could not be read');
    }
  }

  /** A person came or went, an agent did something, or something was committed: the roster may be another. */
  async #dirty(): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([this.#stop.signal, over.signal]);
    await Promise.race([
      this.#wakes.wait('look', POLL_MS, either),
      this.deps.databases.wakes.wait(this.workspaceId, POLL_MS, either),
    ]);
    over.abort();
  }

  /** Follows runs for as long as somebody is here, and again after it was away. */
  async #keepActivities(): Promise<void> {
    const { signal } = this.#stop;
    let waitMs = RETRY_MS;
    while (!signal.aborted) {
      try {
        for await (const activities of this.deps.activities.follow(this.workspaceId, signal)) {
          waitMs = RETRY_MS;
          this.#take(activities);
        }
      } catch (error) {
        if (signal.aborted) return;
        this.deps.log.debug({ err: error, workspaceId: this.workspaceId }, 'runs cannot be followed now');
      }
      this.#take(null);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, MOST_RETRY_MS);
    }
  }

  #take(activities: readonly AgentActivity[] | null): void {
    this.#activities = activities;
    this.#wakes.wake('first');
    this.#wakes.wake('look');
  }
}

/** @param activities null while they are not known */
export async function readItems(
  { control, databases }: SpacesDeps,
  presence: Presence,
  workspaceId: string,
  activities: readonly AgentActivity[] | null,
): Promise<PresenceItem[]> {
  const people = presence.people(workspaceId);
  const [members, agents] = await Promise.all([
    findMembers(
      control,
      people.map(({ memberId }) => memberId),
    ),
    databases.open(workspaceId).then(agentTitles),
  ]);
  return presenceList({ people, members, agents, activities });
}
