import type { AuditEntry } from '../../services/spaces/audit/audit.ts';
import type { Client } from './client/client.ts';
import { followEventStream } from './client/event-stream.ts';

const PAGE = 1_000;

/** Every entry after one, oldest first. */
export async function readAudit(
  client: Pick<Client, 'audit'>,
  workspaceId: string,
  afterSeq: number,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let after = afterSeq; ; after = entries.at(-1)?.seq ?? after) {
    const { items, next } = await client.audit(workspaceId, { after, limit: PAGE });
    entries.push(...items);
    if (next === null || items.length === 0) return entries;
  }
}

export interface FollowAudit {
  client: Client;
  workspaceId: string;
  /** How many of those that there are come first. */
  last: number;
  signal: AbortSignal;
  onEntry(entry: AuditEntry): void;
}

/** The newest entries and then each that comes, until the signal aborts. @throws its reason */
export async function followAudit({
  client,
  workspaceId,
  last,
  signal,
  onEntry,
}: FollowAudit): Promise<never> {
  const known = await readAudit(client, workspaceId, 0);
  for (const entry of known.slice(-last)) onEntry(entry);
  let seq = known.at(-1)?.seq ?? 0;
  const follow = { send: client.send, workspaceId, afterSeq: seq, attending: false, signal };
  for await (const event of followEventStream(follow)) {
    // The server says which events belong in the log; one that is told already was read with another.
    if (event.seq <= seq) continue;
    for (const entry of await readAudit(client, workspaceId, event.seq - 1)) {
      seq = entry.seq;
      onEntry(entry);
    }
  }
  signal.throwIfAborted();
  throw new Error('The event stream ended by itself.');
}
