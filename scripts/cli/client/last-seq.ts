import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import type { Page } from './all-pages.ts';
import type { Client } from './client.ts';

const PAGE = 1_000;

/** The newest event's sequence number, found by reading past what is there. */
export async function lastSeq(client: Pick<Client, 'send'>, workspaceId: string): Promise<number> {
  let seq = 0;
  for (;;) {
    const path = `/api/workspaces/${workspaceId}/events?after=${seq}&limit=${PAGE}`;
    const { items } = (await (await client.send(path)).json()) as Page<WorkspaceEvent>;
    const last = items.at(-1);
    if (!last) return seq;
    seq = last.seq;
  }
}
