import type { Database, Statement } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { announceRun } from './announce.ts';
import type { RunRef } from './engine.ts';
import { settle } from './transitions.ts';

type OpenDatabase = () => Promise<Database>;

/** All that needs a step, directly or not. Bind: run, step, run. */
const DOWNSTREAM = `WITH RECURSIVE downstream (key) AS (
    SELECT step FROM stepNeeds WHERE pipelineRunId = ? AND needs = ?
    UNION
    SELECT n.step FROM downstream d JOIN stepNeeds n ON n.pipelineRunId = ? AND n.needs = d.key)`;

// What has started on the strength of a failure cannot be taken back: its effects and its cost are real.
const AMENDABLE = `pipelineRunId = ? AND key = ? AND state IN ('failed', 'parked')
  AND (SELECT status FROM pipelineRuns WHERE id = pipelineRunId) IN ('running', 'suspended', 'failed')
  AND NOT EXISTS (SELECT 1 FROM steps d WHERE d.pipelineRunId = steps.pipelineRunId
    AND d.key IN (SELECT key FROM downstream) AND (d.state IN ('running', 'waiting', 'done', 'parked') OR d.gate IS NOT NULL))`;

/** A failed or parked step again, as a new round; what was skipped because of it waits for it again. */
export async function retryStep(
  open: OpenDatabase,
  { runId }: RunRef,
  step: string,
  at: number,
): Promise<void> {
  const sql = `${DOWNSTREAM} UPDATE steps SET state = 'ready', round = round + 1, attempt = 1, gate = NULL, error = NULL,
    interrupted = 0, startedAt = NULL, endedAt = NULL, dueAt = ? WHERE ${AMENDABLE}`;
  const amend = { sql, args: [runId, step, runId, at, runId, step] };
  await amendStep(open, 'step.retry', amend, { runId, step, at, to: 'ready' });
}

/** Gives a failed or parked step up: what needs it goes on without its output. */
export async function skipStep(
  open: OpenDatabase,
  { runId }: RunRef,
  step: string,
  at: number,
): Promise<void> {
  const sql = `${DOWNSTREAM} UPDATE steps SET state = 'skipped', waived = 1, error = 'Skipped by a person.', endedAt = ?
    WHERE ${AMENDABLE}`;
  const amend = { sql, args: [runId, step, runId, at, runId, step] };
  await amendStep(open, 'step.skip', amend, { runId, step, at, to: 'skipped' });
}

interface Amendment {
  runId: string;
  step: string;
  at: number;
  to: 'ready' | 'skipped';
}

async function amendStep(open: OpenDatabase, label: string, amend: Statement, a: Amendment): Promise<void> {
  const { runId, step, at } = a;
  const amended = `EXISTS (SELECT 1 FROM steps WHERE pipelineRunId = ? AND key = ? AND state = '${a.to}')`;
  const [result] = await (await open()).write(label, [
    amend,
    {
      sql: `${DOWNSTREAM} UPDATE steps SET round = round + (state = 'failed'), attempt = 1, state = 'blocked', gate = NULL,
          error = NULL, startedAt = NULL, endedAt = NULL
        WHERE pipelineRunId = ? AND key IN (SELECT key FROM downstream) AND state IN ('ready', 'skipped', 'failed')
          AND waived = 0 AND ${amended}`,
      args: [runId, step, runId, runId, runId, step],
    },
    {
      sql: `UPDATE pipelineRuns SET status = 'running', endedAt = NULL WHERE id = ? AND status = 'failed' AND ${amended}`,
      args: [runId, runId, step],
    },
    announceRun(runId, at),
    ...settle(runId, at),
  ]);
  if (result?.rowsAffected !== 1) throw await refusal(open, runId, step);
}

async function refusal(open: OpenDatabase, runId: string, step: string): Promise<Fault> {
  const [row] = await (await open()).read({
    sql: `SELECT s.state, r.status FROM steps s JOIN pipelineRuns r ON r.id = s.pipelineRunId
      WHERE s.pipelineRunId = ? AND s.key = ?`,
    args: [runId, step],
  });
  if (!row) return new Fault('not_found', `There is no step ${JSON.stringify(step)} in this pipeline.`);
  const isOpen = row.state === 'failed' || row.state === 'parked';
  const why = !isOpen
    ? `it is ${row.state}, and only a failed or parked step can be retried or skipped`
    : ['completed', 'cancelled'].includes(String(row.status))
      ? `its pipeline is ${row.status}`
      : 'later steps have already taken its failure into account';
  return new Fault('wrong_status', `Step ${step} stays as it is: ${why}.`, {
    step,
    state: row.state,
    pipelineStatus: row.status,
  });
}
