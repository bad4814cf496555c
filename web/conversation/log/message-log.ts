import type { Message } from '../../../services/spaces/messages/schema.ts';
import { hasCode, UNREACHABLE } from '../../api/problem.ts';
import type { WorkspaceEvent } from '../../live/workspace-feed.ts';
import { EMPTY_LOG, type LogState, withChanged, withNewer, withOlder } from './log-state.ts';

interface Page {
  items: Message[];
  next: string | null;
}

/** Where messages come from. Each call may throw; what failed is asked again. */
export interface MessageSource {
  /** The newest, oldest first; `next` asks for older ones. */
  latest(count: number): Promise<Page>;
  before(id: string, count: number): Promise<Page>;
  /** In the order of their commits; null begins with the first. */
  after(id: string | null, count: number): Promise<Page>;
  one(id: string): Promise<Message>;
}

const FIRST_PAGE = 60;
const PAGE = 100;
const LARGEST_PAGE = 1_000;

/**
 * A conversation's messages, kept up with the workspace's events without loss or repeat: an event says only that there is
 * something new; what it is, and in which order, the server says.
 */
export class MessageLog {
  #state: LogState = EMPTY_LOG;
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<string>();
  #wantsNewer = false;
  #isBusy = false;
  #isClosed = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly conversationId: string,
    private readonly source: MessageSource,
    /** How long after a failure it is tried again. */
    private readonly againMs = 2_000,
  ) {}

  get state(): LogState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads the newest messages; also once more after it failed. */
  async load(): Promise<void> {
    this.#set({ error: null });
    try {
      const { items, next } = await this.source.latest(FIRST_PAGE);
      this.#set({ messages: withNewer(this.#state.messages, items), olderBefore: next, isLoaded: true });
    } catch (error) {
      this.#set({ error: asError(error) });
    }
    this.#pump();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
  }

  take({ type, subject, data }: WorkspaceEvent): void {
    if (data.conversationId !== this.conversationId) return;
    if (type === 'message.posted' && !this.has(subject)) this.catchUp();
    if (type !== 'message.changed') return;
    this.#changed.add(subject);
    this.#pump();
  }

  /** Asks for what is newer than the last message here. */
  catchUp(): void {
    this.#wantsNewer = true;
    this.#pump();
  }

  has(id: string): boolean {
    return this.#state.messages.some((message) => message.id === id);
  }

  /** @returns false when there is none older, or it failed */
  async loadOlder(count = PAGE): Promise<boolean> {
    const { olderBefore, isLoadingOlder } = this.#state;
    if (olderBefore === null || isLoadingOlder) return false;
    this.#set({ isLoadingOlder: true });
    try {
      const { items, next } = await this.source.before(olderBefore, count);
      const messages = withOlder(this.#state.messages, items);
      this.#set({ messages, olderBefore: next, isLoadingOlder: false, error: null });
      return items.length > 0;
    } catch (error) {
      this.#set({ isLoadingOlder: false, error: asError(error) });
      return false;
    }
  }

  /** Goes back until the message is here. @returns false when there is none of this id */
  async reach(id: string): Promise<boolean> {
    while (!this.has(id) && !this.#isClosed) if (!(await this.loadOlder(LARGEST_PAGE))) break;
    return this.has(id);
  }

  #pump(): void {
    if (this.#isBusy || this.#isClosed || !this.#state.isLoaded) return;
    if (!this.#wantsNewer && this.#changed.size === 0) return;
    this.#isBusy = true;
    void this.#work()
      .catch((error: unknown) => {
        // Whatever was wanted is wanted still. That there is no connection is told by its own state.
        if (!hasCode(error, UNREACHABLE)) this.#set({ newerError: asError(error) });
        clearTimeout(this.#again);
        this.#again = setTimeout(() => this.#pump(), this.againMs);
        return true;
      })
      .then((failed) => {
        this.#isBusy = false;
        if (failed === true) return;
        if (this.#state.newerError !== null) this.#set({ newerError: null });
        this.#pump();
      });
  }

  async #work(): Promise<void> {
    if (this.#wantsNewer) {
      this.#wantsNewer = false;
      await this.#orWantAgain(this.#readNewer(), () => {
        this.#wantsNewer = true;
      });
    }
    for (const id of [...this.#changed]) {
      this.#changed.delete(id);
      if (!this.has(id)) continue;
      const changed = await this.#orWantAgain(this.source.one(id), () => this.#changed.add(id));
      this.#set({ messages: withChanged(this.#state.messages, changed) });
    }
  }

  async #readNewer(): Promise<void> {
    for (;;) {
      const last = this.#state.messages.at(-1)?.id ?? null;
      const { items, next } = await this.source.after(last, PAGE);
      this.#set({ messages: withNewer(this.#state.messages, items) });
      if (next === null || items.length === 0) return;
    }
  }

  async #orWantAgain<T>(work: Promise<T>, want: () => void): Promise<T> {
    try {
      return await work;
    } catch (error) {
      want();
      throw error;
    }
  }

  #set(change: Partial<LogState>): void {
    if (this.#isClosed) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
