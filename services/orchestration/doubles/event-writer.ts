import type { Actor } from '../../kit/actor.ts';
import { eventStatement } from '../../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';

/** Writes events as the other services do: into the workspace's log, over a connection of their own. */
export type WriteEvent = (
  type: string,
  subject: string,
  data: Record<string, unknown>,
  actor?: Actor,
) => Promise<void>;

export function eventWriter(databases: WorkspaceDatabases, workspaceId: string): WriteEvent {
  return async (type, subject, data, actor = 'service:runs') => {
    const database = await databases.open(workspaceId);
    await database.write('double.event', [eventStatement({ at: Date.now(), actor, type, subject, data })]);
  };
}
