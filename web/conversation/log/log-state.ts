import type { Message } from '../../../services/spaces/messages/schema.ts';

/** The messages of a conversation that are here, in the order of their commits. */
export interface LogState {
  messages: readonly Message[];
  /** What to ask older ones with; null once the first message is here. */
  olderBefore: string | null;
  isLoaded: boolean;
  isLoadingOlder: boolean;
  /** Why the first page, or the last older one, is not here. */
  error: Error | null;
  /** Why what is newer is not here, although the server answers; it is tried again by itself. */
  newerError: Error | null;
}

export const EMPTY_LOG: LogState = {
  messages: [],
  olderBefore: null,
  isLoaded: false,
  isLoadingOlder: false,
  error: null,
  newerError: null,
};

/** Newer messages at the end; one that is here already is not told twice. */
export function withNewer(messages: readonly Message[], page: readonly Message[]): readonly Message[] {
  return joined(messages, page, (fresh) => [...messages, ...fresh]);
}

/** Older messages at the beginning. */
export function withOlder(messages: readonly Message[], page: readonly Message[]): readonly Message[] {
  return joined(messages, page, (fresh) => [...fresh, ...messages]);
}

/** The message as it is now; older news than what is here, and messages of pages that are not here, change nothing. */
export function withChanged(messages: readonly Message[], changed: Message): readonly Message[] {
  const at = messages.findIndex(({ id }) => id === changed.id);
  const before = messages[at];
  return before && before.version < changed.version ? messages.with(at, changed) : messages;
}

function joined(
  messages: readonly Message[],
  page: readonly Message[],
  join: (fresh: Message[]) => readonly Message[],
): readonly Message[] {
  const known = new Set(messages.map(({ id }) => id));
  const fresh = page.filter(({ id }) => !known.has(id));
  return fresh.length > 0 ? join(fresh) : messages;
}
