import type { Database } from '../../kit/database/database.ts';

/** A new epoch for this process in this workspace: whoever held runs before can no longer write to them. */
export async function beginEpoch(database: Database): Promise<number> {
  const results = await database.write('runs.epoch', [
    {
      sql: `INSERT INTO runsCursors VALUES ('epoch', 1) ON CONFLICT (name) DO UPDATE SET seq = seq + 1 RETURNING seq`,
      args: [],
    },
    { sql: `UPDATE runs SET phase = 'queued' WHERE phase = 'live'`, args: [] },
    // Clients of the tool protocol wait for nothing in a process that is gone.
    { sql: 'UPDATE mcpCalls SET waitingFor = NULL WHERE waitingFor IS NOT NULL', args: [] },
  ]);
  return Number(results[0]?.rows[0]?.seq);
}

/** Of the live run `l`: a call of a client of its own waits for a run, so that it does nothing meanwhile. */
const WAITS_FOR_A_RUN = `EXISTS (SELECT 1 FROM mcpCalls m WHERE m.runId = l.id AND m.finishedAt IS NULL
  AND substr(m.waitingFor, 1, 4) = 'run_')`;

/** Of the live run `l` and the queued run `q`: what `l` waits for is `q`, or is held up by it. */
const WAITS_FOR_Q = `EXISTS (
  WITH RECURSIVE up (id) AS (
    SELECT q.id UNION ALL SELECT r.parentRunId FROM runs r JOIN up ON r.id = up.id WHERE r.parentRunId IS NOT NULL)
  SELECT 1 FROM mcpCalls m JOIN up ON m.waitingFor = up.id WHERE m.runId = l.id AND m.finishedAt IS NULL)`;

/**
 * Takes a queued run whose conversation has no live one, while fewer than `limit` are live: the deepest of its tree first, so
 * that nothing else comes between a run and its sub-agents, then the oldest. A live run whose client waits for a sub-agent
 * holds up neither that nor the number.
 * Null: nothing may start now, or a later process has begun.
 */
export async function claimNext(database: Database, epoch: number, limit: number): Promise<string | null> {
  const [claimed] = await database.write('run.claim', [
    {
      sql: `UPDATE runs SET phase = 'live', epoch = ? WHERE id = (
          SELECT q.id FROM runs q WHERE q.phase = 'queued'
            AND NOT EXISTS (SELECT 1 FROM runs l WHERE l.phase = 'live' AND l.conversationId = q.conversationId
              AND NOT ${WAITS_FOR_Q})
            AND (SELECT count(*) FROM runs l WHERE l.phase = 'live' AND NOT ${WAITS_FOR_A_RUN}) < ?
          ORDER BY q.depth DESC, q.createdAt, q.id LIMIT 1)
        AND ? = (SELECT seq FROM runsCursors WHERE name = 'epoch') RETURNING id`,
      args: [epoch, limit, epoch],
    },
  ]);
  const id = claimed?.rows[0]?.id;
  return id === undefined ? null : String(id);
}
