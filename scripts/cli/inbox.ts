import type { Client } from './client/client.ts';
import type { InboxEntry } from './client/guardrail-calls.ts';
import { chosenWorkspaces } from './locate.ts';

export interface InboxItem {
  workspaceId: string;
  workspace: string;
  approval: InboxEntry;
}

/** The inbox of one workspace at one moment. */
export interface WorkspaceInbox {
  items: InboxItem[];
  count: number;
  /** The event that it is true for. */
  seq: number;
}

export async function readInbox(
  client: Pick<Client, 'inbox'>,
  workspace: { id: string; name: string },
): Promise<WorkspaceInbox> {
  const { items, count, seq } = await client.inbox(workspace.id);
  const named = { workspaceId: workspace.id, workspace: workspace.name };
  return { items: items.map((approval) => ({ ...named, approval })), count, seq };
}

/** What waits in the chosen workspaces, newest first; `count` is also of what is not among the items. */
export async function readInboxes(client: Client, workspace: string | undefined) {
  const workspaces = await chosenWorkspaces(client, workspace);
  const inboxes = await Promise.all(workspaces.map((one) => readInbox(client, one)));
  const items = inboxes
    .flatMap((inbox) => inbox.items)
    .sort((a, b) => b.approval.createdAt - a.approval.createdAt);
  return { items, count: inboxes.reduce((sum, { count }) => sum + count, 0) };
}

export interface InboxChange {
  change: 'added' | 'removed' | 'changed';
  item: InboxItem;
}

/** What became of the inbox from one look to the next: removals first, then what is new, oldest first. */
export function inboxChanges(before: readonly InboxItem[], after: readonly InboxItem[]): InboxChange[] {
  const [old, now] = [byId(before), byId(after)];
  const removed = before.filter(({ approval }) => !now.has(approval.id));
  const rest = [...after].reverse().flatMap((item): InboxChange[] => {
    const known = old.get(item.approval.id);
    if (!known) return [{ change: 'added', item }];
    return known.approval.status === item.approval.status ? [] : [{ change: 'changed', item }];
  });
  return [...removed.map((item): InboxChange => ({ change: 'removed', item })), ...rest];
}

function byId(items: readonly InboxItem[]): Map<string, InboxItem> {
  return new Map(items.map((item) => [item.approval.id, item]));
}
