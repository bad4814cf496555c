import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { passOnUnread } from '../steering/after-end.ts';
import type { Executor } from './executor.ts';

/**
 * What a run leaves behind when it ends: messages that it did not read, requests that nobody waits for any more, and
 * sub-agents of a run that failed, or whose client did not wait for them. Doing it again does nothing.
 * @throws Fault of spaces when it is one that may pass; the event is handled again then
 */
export async function afterEnd(
  deps: RunsDeps,
  executor: Executor,
  workspaceId: string,
  { subject: runId, data }: WorkspaceEvent,
): Promise<void> {
  // A cancel has taken along what was below already.
  if (data.status !== 'cancelled') await executor.cancelBelow(workspaceId, runId);
  if (await passOnUnread(deps, workspaceId, runId)) void executor.pump(workspaceId);
  try {
    await deps.spaces.supersedeOfRun(workspaceId, runId, { planExit: data.status === 'cancelled' });
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.error({ err: error, runId }, 'what an ended run had asked could not be withdrawn');
  }
}
