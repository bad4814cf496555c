import * as z from 'zod';
import type { Database } from '../../kit/database/database.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import type { RunsDeps } from '../deps.ts';
import type { Executor } from '../dispatch/executor.ts';
import { findByKey } from '../runs/store.ts';
import { dispatchAssignment } from './assignment.ts';
import { tellDelegator } from './child-completed.ts';
import { assignmentKey } from './delegation-key.ts';
import { noteBegin, noteEnd } from './run-progress.ts';

/**
 * What events of tickets and runs mean for delegated work. Seeing one again does nothing new.
 * @returns whether there may be a run to start
 * @throws Fault of spaces when it is one that may pass
 */
export async function followDelegations(
  deps: RunsDeps,
  executor: Executor,
  workspaceId: string,
  database: Database,
  event: WorkspaceEvent,
): Promise<boolean> {
  switch (event.type) {
    case 'ticket.delegated':
      return dispatchAssignment(deps, workspaceId, event);
    case 'ticket.delegationWithdrawn':
      await callOff(executor, workspaceId, database, event);
      return false;
    case 'ticket.delegationEnded':
      await callOff(executor, workspaceId, database, event);
      return tellDelegator(deps, workspaceId, database, event);
    case 'run.started':
      await noteBegin(deps, workspaceId, database, event.subject);
      return false;
    case 'run.ended':
      await noteEnd(deps, workspaceId, database, event);
      return false;
    default:
      return false;
  }
}

const Numbered = z.object({ number: z.number().int() });

/** Stops the run of an assignment that is over, in the name of whoever ended it. */
async function callOff(
  executor: Executor,
  workspaceId: string,
  database: Database,
  { subject, actor, data }: WorkspaceEvent,
): Promise<void> {
  const { number } = Numbered.parse(data);
  const run = await findByKey(database, assignmentKey({ ticketId: subject, number }));
  if (run && run.endedAt === null) await executor.cancel(workspaceId, run.id, actor);
}
