import type { Database } from '../../kit/database/database.ts';

/** A new epoch for this process in this workspace: whoever held runs before can no longer write to them. */
export async function beginEpoch(database: Database): Promise<number> {
  const results = await database.write('runs.epoch', [
    {
      sql: `INSERT INTO runsCursors VALUES ('epoch', 1) ON CONFLICT (name) DO UPDATE SET seq = seq + 1 RETURNING seq`,
      args: [],
    },
    { sql: `UPDATE runs SET phase = 'queued' WHERE phase = 'live'`, args: [] },
  ]);
  return Number(results[0]?.rows[0]?.seq);
}

/**
 * Takes a queued run whose conversation has no live one, while fewer than `limit` are live: the deepest of its tree first, so
 * that nothing else comes between a run and its sub-agents, then the oldest.
 * Null: nothing may start now, or a later process has begun.
 */
export async function claimNext(database: Database, epoch: number, limit: number): Promise<string | null> {
  const [claimed] = await database.write('run.claim', [
    {
      sql: `UPDATE runs SET phase = 'live', epoch = ? WHERE id = (
          SELECT q.id FROM runs q WHERE q.phase = 'queued'
            AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.phase = 'live' AND o.conversationId = q.conversationId)
            AND (SELECT count(*) FROM runs l WHERE l.phase = 'live') < ?
          ORDER BY q.depth DESC, q.createdAt, q.id LIMIT 1)
        AND ? = (SELECT seq FROM runsCursors WHERE name = 'epoch') RETURNING id`,
      args: [epoch, limit, epoch],
    },
  ]);
  const id = claimed?.rows[0]?.id;
  return id === undefined ? null : String(id);
}
