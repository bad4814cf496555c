import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import type { Page } from './all-pages.ts';
import type { Send } from './send.ts';

const PAGE = 1_000;

/** The events after `afterSeq` that there are now, in order. */
export async function* readPastEvents(
  send: Send,
  workspaceId: string,
  afterSeq: number,
): AsyncGenerator<WorkspaceEvent> {
  let seq = afterSeq;
  for (;;) {
    const response = await send(`/api/workspaces/${workspaceId}/events?after=${seq}&limit=${PAGE}`);
    const { items, next } = (await response.json()) as Page<WorkspaceEvent>;
    yield* items;
    if (next === null) return;
    seq = items.at(-1)?.seq ?? seq;
  }
}

/** The newest event's sequence number, found by reading past what is there. */
export async function lastSeq(send: Send, workspaceId: string): Promise<number> {
  let seq = 0;
  for await (const event of readPastEvents(send, workspaceId, 0)) seq = event.seq;
  return seq;
}
