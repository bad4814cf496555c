import type { Client } from './client/client.ts';
import { followEventStream } from './client/event-stream.ts';
import { type InboxChange, inboxChanges, readInbox, type WorkspaceInbox } from './inbox.ts';

export interface FollowInbox {
  client: Client;
  workspaces: readonly { id: string; name: string }[];
  attending: boolean;
  signal: AbortSignal;
  /** All that waits when following begins, then each change; `count` is of every workspace together. */
  onStart(inboxes: WorkspaceInbox[], count: number): void;
  onChange(change: InboxChange, count: number): void;
}

/** Follows the inboxes of workspaces until the signal aborts. @throws what a call threw, the signal's reason */
export async function followInbox(options: FollowInbox): Promise<never> {
  const { client, workspaces, signal } = options;
  const inboxes = await Promise.all(workspaces.map((one) => readInbox(client, one)));
  const countAll = () => inboxes.reduce((sum, { count }) => sum + count, 0);
  options.onStart(inboxes, countAll());
  await Promise.race([
    aborted(signal),
    ...workspaces.map((workspace, i) =>
      followOne(options, workspace, inboxes[i]?.seq ?? 0, (inbox) => {
        const before = inboxes[i]?.items ?? [];
        inboxes[i] = inbox;
        for (const change of inboxChanges(before, inbox.items)) options.onChange(change, countAll());
      }),
    ),
  ]);
  signal.throwIfAborted();
  throw new Error('The event stream ended by itself.');
}

async function followOne(
  { client, attending, signal }: FollowInbox,
  workspace: { id: string; name: string },
  seq: number,
  onInbox: (inbox: WorkspaceInbox) => void,
): Promise<void> {
  let trueFor = seq;
  const follow = { send: client.send, workspaceId: workspace.id, afterSeq: seq, attending, signal };
  for await (const event of followEventStream(follow)) {
    // A look tells of every event up to it, so that a burst of them is one look.
    if (event.seq <= trueFor || !event.type.startsWith('approval.')) continue;
    const inbox = await readInbox(client, workspace);
    trueFor = inbox.seq;
    onInbox(inbox);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
