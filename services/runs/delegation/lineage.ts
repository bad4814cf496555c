import type { Database } from '../../kit/database/database.ts';
import type { Delegator } from '../peers/spaces-port.ts';
import type { RunRow } from '../runs/schema.ts';
import { isTicketId } from './delegation-key.ts';

/**
 * Where a run stands among those from which its work came: over its parents, and over the runs that delegated its ticket,
 * whose child ended or whose request was decided. No link of it ever changes, and none can be left out by what a call says.
 */
export async function delegatorOf(
  database: Database,
  { id, conversationId, spaceId }: Pick<RunRow, 'id' | 'conversationId' | 'spaceId'>,
): Promise<Delegator> {
  const rows = await database.read({
    sql: `WITH RECURSIVE above (id, up, agentId, ticketId, step) AS (
        SELECT id, coalesce(parentRunId, causeRunId), agentId, ${TICKET}, 0 FROM runs WHERE id = ?
        UNION ALL SELECT r.id, coalesce(r.parentRunId, r.causeRunId), r.agentId, r.ticketId, a.step + 1
          FROM (SELECT *, ${TICKET} AS ticketId FROM runs) r JOIN above a ON r.id = a.up
      ) SELECT id, agentId, ticketId FROM above ORDER BY step DESC`,
    args: [id],
  });
  const ticketIds = rows.map(({ ticketId }) => String(ticketId)).filter(isTicketId);
  const agentIds = [...new Set(rows.map(({ agentId }) => String(agentId)))];
  // Its own agent last, also where an earlier run of the chain was that agent's.
  const own = String(rows.at(-1)?.agentId);
  return {
    ...{ runId: id, originRunId: String(rows[0]?.id), conversationId, spaceId },
    agentIds: [...agentIds.filter((agentId) => agentId !== own), own],
    depth: ticketIds.length,
    ticketIds: [...new Set(ticketIds)],
  };
}

/** The ticket of a run that an assignment started; a sub-agent's task is an assignment too, but of no ticket. */
const TICKET = `CASE WHEN triggerKind = 'assignment' AND parentRunId IS NULL THEN triggerId END`;
