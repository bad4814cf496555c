import type { Database } from '../../kit/database/database.ts';
import type { RunsDeps } from '../deps.ts';
import { isRunId } from '../runs/run.ts';
import { wakeWaiting } from '../runs/transitions.ts';

/** Approvals that runs wait for; who waits for a sub-agent is woken in the commit of its end. */
export async function listWaiting(database: Database): Promise<string[]> {
  const rows = await database.read({
    sql: `SELECT DISTINCT waitingFor FROM runs WHERE phase = 'waiting' AND waitingFor IS NOT NULL`,
    args: [],
  });
  return rows.map((row) => String(row.waitingFor)).filter((id) => !isRunId(id));
}

/** A decision that came before its run began to wait has no event left to come: look once. */
export async function wakeIfDecided(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  approvalId: string,
): Promise<boolean> {
  const { status } = await deps.spaces.approval(workspaceId, approvalId);
  return status === 'pending' ? false : wakeWaiting(database, approvalId, null);
}
