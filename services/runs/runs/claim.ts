import { capabilityProfile, MODES } from '../../../core-wasm/core.ts';
import type { Database } from '../../kit/database/database.ts';
import { entriesOf, isSuspect } from './trouble.ts';

/**
 * A new epoch for this process in this workspace: whoever held runs before can no longer write to them. A run that was live
 * has gone through one more crash; how many is counted anew once it has come a step further.
 */
export async function beginEpoch(database: Database): Promise<number> {
  const results = await database.write('runs.epoch', [
    {
      sql: `INSERT INTO runsCursors VALUES ('epoch', 1) ON CONFLICT (name) DO UPDATE SET seq = seq + 1 RETURNING seq`,
      args: [],
    },
    {
      sql: `UPDATE runs SET phase = 'queued', crashEntries = ${entriesOf('runs')},
        crashes = CASE WHEN crashEntries IS ${entriesOf('runs')} THEN crashes + 1 ELSE 1 END WHERE phase = 'live'`,
      args: [],
    },
    // What was held back for calls that died with their process would hold up others of the same budget.
    { sql: 'DELETE FROM reservations', args: [] },
    // Clients of the tool protocol wait for nothing in a process that is gone.
    { sql: 'UPDATE mcpCalls SET waitingFor = NULL WHERE waitingFor IS NOT NULL', args: [] },
  ]);
  return Number(results[0]?.rows[0]?.seq);
}

/** Puts back what this process lets go of in good order, so that it does not count as a crash. */
export async function handOver(database: Database, epoch: number): Promise<void> {
  const sql = `UPDATE runs SET phase = 'queued' WHERE phase = 'live' AND epoch = ?`;
  await database.write('runs.handOver', [{ sql, args: [epoch] }]);
}

/** Of the live run `l`: a call of a client of its own waits for a run, so that it does nothing meanwhile. */
const WAITS_FOR_A_RUN = `EXISTS (SELECT 1 FROM mcpCalls m WHERE m.runId = l.id AND m.finishedAt IS NULL
  AND substr(m.waitingFor, 1, 4) = 'run_')`;

/** Of the live run `l` and the queued run `q`: what `l` waits for is `q`, or is held up by it. */
const WAITS_FOR_Q = `EXISTS (
  WITH RECURSIVE up (id) AS (
    SELECT q.id UNION ALL SELECT r.parentRunId FROM runs r JOIN up ON r.id = up.id WHERE r.parentRunId IS NOT NULL)
  SELECT 1 FROM mcpCalls m JOIN up ON m.waitingFor = up.id WHERE m.runId = l.id AND m.finishedAt IS NULL)`;

const READ_ONLY = MODES.filter((mode) => capabilityProfile(mode).worktree === 'read-only')
  .map((mode) => `'${mode}'`)
  .join(', ');

/** Of the live run `l` and the queued run `q`: sub-agents of one run that change nothing in their worktree. */
const READ_TOGETHER = `(q.parentRunId IS NOT NULL AND l.parentRunId IS q.parentRunId
  AND l.mode IN (${READ_ONLY}) AND q.mode IN (${READ_ONLY}))`;

/** Of the queued run `q`: it starts only to end or to be paused, which holds nobody up. */
const ONLY_STOPS = '(q.cancelRequested = 1 OR q.pauseRequestedAt IS NOT NULL)';

/** Of the queued run `q`: its parent is to be paused, or a person holds what is of its conversation, or takes of it back. */
const IS_HELD = `EXISTS (SELECT 1 FROM runs p WHERE p.id = q.parentRunId AND p.pauseRequestedAt IS NOT NULL)
  OR EXISTS (SELECT 1 FROM runs t WHERE t.takenOverBy IS NOT NULL AND t.phase <> 'ended'
    AND (t.id = q.id OR t.conversationId = q.conversationId))
  OR EXISTS (SELECT 1 FROM undos u WHERE u.endedAt IS NULL AND (u.runId = q.id OR u.conversationId = q.conversationId))`;

/** Of the queued run `q`: another that may bring the server down is at work, and one at a time shows which it is. */
const IS_TRIED_LATER = `${isSuspect('q')} AND EXISTS (SELECT 1 FROM runs l WHERE l.phase = 'live' AND ${isSuspect('l')}
  AND NOT ${WAITS_FOR_Q})`;

/**
 * Takes a queued run whose conversation has no live one, while fewer than `limit` are live: the deepest of its tree first, so
 * that nothing else comes between a run and its sub-agents, then the oldest. Sub-agents of one run that only read go on
 * together. A live run whose client waits for a sub-agent holds up neither that nor the number. Runs that may bring the
 * server down are tried one at a time, those first with which it went down less often.
 * Null: nothing may start now, or a later process has begun.
 */
export async function claimNext(database: Database, epoch: number, limit: number): Promise<string | null> {
  const [claimed] = await database.write('run.claim', [
    {
      sql: `UPDATE runs SET phase = 'live', epoch = ? WHERE id = (
          SELECT q.id FROM runs q WHERE q.phase = 'queued' AND (${ONLY_STOPS} OR NOT (${IS_HELD} OR ${IS_TRIED_LATER}))
            AND NOT EXISTS (SELECT 1 FROM runs l WHERE l.phase = 'live' AND l.conversationId = q.conversationId
              AND NOT ${READ_TOGETHER} AND NOT ${WAITS_FOR_Q})
            AND (SELECT count(*) FROM runs l WHERE l.phase = 'live' AND NOT ${WAITS_FOR_A_RUN}) < ?
          ORDER BY q.depth DESC, CASE WHEN ${isSuspect('q')} THEN q.crashes ELSE 0 END, q.createdAt, q.id LIMIT 1)
        AND ? = (SELECT seq FROM runsCursors WHERE name = 'epoch') RETURNING id`,
      args: [epoch, limit, epoch],
    },
  ]);
  const id = claimed?.rows[0]?.id;
  return id === undefined ? null : String(id);
}
