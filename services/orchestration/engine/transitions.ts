import type { Statement } from '../../kit/database/database.ts';
import { announceRun, announceSteps } from './announce.ts';
import type { Plan } from './engine.ts';

/** The claim that a body runs under; a transition of a lost claim changes nothing. */
export interface Claim {
  runId: string;
  step: string;
  fence: number;
}

const HELD = `pipelineRunId = ? AND key = ? AND state = 'running' AND fence = ?`;
const held = ({ runId, step, fence }: Claim) => [runId, step, fence];

/** What every transition ends with: skip what can no longer run, release what can, tell of it, end the run. */
export function settle(runId: string, at: number): Statement[] {
  return [
    skipDead(runId, at),
    release(runId, at),
    ...announceSteps(runId, at),
    finish(runId, at),
    announceRun(runId, at),
  ];
}

// Of several lost needs the last by key is named: a ticket says more than the gate or the reading that was lost with it.
function skipDead(runId: string, at: number): Statement {
  return {
    sql: `WITH RECURSIVE dead (key) AS (
        SELECT key FROM steps WHERE pipelineRunId = ? AND state = 'failed'
        UNION
        SELECT s.key FROM dead d JOIN stepNeeds n ON n.pipelineRunId = ? AND n.needs = d.key
          JOIN steps s ON s.pipelineRunId = n.pipelineRunId AND s.key = n.step
        WHERE s.tolerateFailure = 0 AND s.state = 'blocked')
      UPDATE steps SET state = 'skipped', endedAt = ?, error = 'Not run: it needs ' || (
          SELECT max(n.needs) FROM stepNeeds n
          WHERE n.pipelineRunId = steps.pipelineRunId AND n.step = steps.key AND n.needs IN (SELECT key FROM dead)
        ) || ', which did not succeed.'
      WHERE pipelineRunId = ? AND state = 'blocked' AND key IN (SELECT key FROM dead)`,
    args: [runId, runId, at, runId],
  };
}

function release(runId: string, at: number): Statement {
  return {
    sql: `UPDATE steps SET state = 'ready', dueAt = ?
      WHERE pipelineRunId = ? AND state = 'blocked' AND NOT EXISTS (
        SELECT 1 FROM stepNeeds n JOIN steps d ON d.pipelineRunId = n.pipelineRunId AND d.key = n.needs
        WHERE n.pipelineRunId = steps.pipelineRunId AND n.step = steps.key AND NOT (d.state = 'done'
          OR (d.state = 'skipped' AND (d.waived = 1 OR steps.tolerateFailure = 1))
          OR (d.state = 'failed' AND steps.tolerateFailure = 1)))`,
    args: [at, runId],
  };
}

// A run has succeeded when the steps that nothing needs have: a failure that was tolerated on the way is in their output.
function finish(runId: string, at: number): Statement {
  return {
    sql: `UPDATE pipelineRuns SET endedAt = ?, status = CASE WHEN EXISTS (
          SELECT 1 FROM steps s WHERE s.pipelineRunId = pipelineRuns.id AND s.state <> 'done' AND s.waived = 0
            AND NOT EXISTS (SELECT 1 FROM stepNeeds n WHERE n.pipelineRunId = s.pipelineRunId AND n.needs = s.key)
        ) THEN 'failed' ELSE 'completed' END
      WHERE id = ? AND status = 'running' AND NOT EXISTS (
        SELECT 1 FROM steps WHERE pipelineRunId = pipelineRuns.id AND state NOT IN ('done', 'failed', 'skipped'))`,
    args: [at, runId],
  };
}

/** One statement per table whatever the size of the plan: a thousand statements would hold up the event loop. */
export function startRun(plan: Plan, at: number): Statement[] {
  const steps = JSON.stringify(plan.steps);
  return [
    {
      sql: `INSERT INTO pipelineRuns (id, subject, status, createdAt) VALUES (?, ?, 'running', ?) ON CONFLICT DO NOTHING`,
      args: [plan.runId, plan.subject, at],
    },
    announceRun(plan.runId, at),
    {
      sql: `INSERT INTO steps (pipelineRunId, key, position, state, announced, idempotent, tolerateFailure, timeoutMs, maxAttempts)
        SELECT ?, value ->> 'key', key, 'blocked', 'blocked', value ->> 'idempotent', value ->> 'tolerateFailure',
          value ->> 'timeoutMs', value ->> 'maxAttempts'
        FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
      args: [plan.runId, steps],
    },
    {
      sql: `INSERT INTO stepNeeds (pipelineRunId, step, needs)
        SELECT ?, s.value ->> 'key', n.value FROM json_each(?) s, json_each(s.value, '$.needs') n
        WHERE true ON CONFLICT DO NOTHING`,
      args: [plan.runId, steps],
    },
    ...settle(plan.runId, at),
  ];
}

export interface ClaimTerms {
  epoch: number;
  leaseUntil: number;
  at: number;
}

/** `claim.fence` is the fence that the claim will hold; only the engine of the newest epoch may claim. */
export function claimStep(claim: Claim, { epoch, leaseUntil, at }: ClaimTerms): Statement {
  return {
    sql: `UPDATE steps SET state = 'running', fence = ?, epoch = ?, leaseUntil = ?, startedAt = coalesce(startedAt, ?)
      WHERE pipelineRunId = ? AND key = ? AND state = 'ready' AND fence = ? AND dueAt <= ?
        AND (SELECT status FROM pipelineRuns WHERE id = pipelineRunId) = 'running'
        AND (SELECT epoch FROM engineEpoch) = ?`,
    args: [claim.fence, epoch, leaseUntil, at, claim.runId, claim.step, claim.fence - 1, at, epoch],
  };
}

export function renewLease(claim: Claim, leaseUntil: number): Statement {
  return { sql: `UPDATE steps SET leaseUntil = ? WHERE ${HELD}`, args: [leaseUntil, ...held(claim)] };
}

/** What becomes of a claimed step. `ends` when others may run or the run may end because of it. */
export interface Transition {
  label: string;
  runId: string;
  update: Statement;
  ends: boolean;
}

export function completeStep(claim: Claim, at: number): Transition {
  const sql = `UPDATE steps SET state = 'done', leaseUntil = NULL, interrupted = 0, error = NULL, endedAt = ? WHERE ${HELD}`;
  return { label: 'step.done', runId: claim.runId, update: { sql, args: [at, ...held(claim)] }, ends: true };
}

export function failStep(claim: Claim, message: string, at: number): Transition {
  const sql = `UPDATE steps SET state = 'failed', leaseUntil = NULL, interrupted = 0, error = ?, endedAt = ? WHERE ${HELD}`;
  return {
    label: 'step.fail',
    runId: claim.runId,
    update: { sql, args: [message, at, ...held(claim)] },
    ends: true,
  };
}

/** Given up by its own body: what needs it goes on without its output. */
export function waiveStep(claim: Claim, message: string, at: number): Transition {
  const sql = `UPDATE steps SET state = 'skipped', waived = 1, leaseUntil = NULL, interrupted = 0, error = ?, endedAt = ?
    WHERE ${HELD}`;
  const update = { sql, args: [message, at, ...held(claim)] };
  return { label: 'step.waive', runId: claim.runId, update, ends: true };
}

export function retryLater(claim: Claim, message: string, dueAt: number): Transition {
  const sql = `UPDATE steps SET state = 'ready', leaseUntil = NULL, interrupted = 0, attempt = attempt + 1, error = ?,
    dueAt = ? WHERE ${HELD}`;
  const update = { sql, args: [message, dueAt, ...held(claim)] };
  return { label: 'step.retryLater', runId: claim.runId, update, ends: false };
}

export function parkStep(claim: Claim, message: string): Transition {
  const sql = `UPDATE steps SET state = 'parked', leaseUntil = NULL, error = ? WHERE ${HELD}`;
  return {
    label: 'step.park',
    runId: claim.runId,
    update: { sql, args: [message, ...held(claim)] },
    ends: false,
  };
}

/** Goes straight back to ready when the signal was there first. */
export function suspendStep(claim: Claim, gate: string, at: number): Transition {
  const sql = `UPDATE steps SET leaseUntil = NULL, interrupted = 0, gate = ?, dueAt = ?, state = CASE WHEN EXISTS (
      SELECT 1 FROM stepSignals g WHERE g.pipelineRunId = steps.pipelineRunId AND g.gate = ?
    ) THEN 'ready' ELSE 'waiting' END WHERE ${HELD}`;
  const update = { sql, args: [gate, at, gate, ...held(claim)] };
  return { label: 'step.suspend', runId: claim.runId, update, ends: false };
}

/** What follows a group of transitions, once for each run. */
export function afterTransitions(transitions: readonly Transition[], at: number): Statement[] {
  const runs = new Map<string, boolean>();
  for (const { runId, ends } of transitions) runs.set(runId, ends || runs.get(runId) === true);
  return [...runs].flatMap(([runId, ends]) => (ends ? settle(runId, at) : announceSteps(runId, at)));
}

export function signalGate(runId: string, gate: string, payload: unknown, at: number): Statement[] {
  return [
    {
      sql: `INSERT INTO stepSignals (pipelineRunId, gate, payload, at) SELECT id, ?, ?, ? FROM pipelineRuns
        WHERE id = ? AND status IN ('running', 'suspended') ON CONFLICT DO NOTHING`,
      args: [gate, JSON.stringify(payload ?? null), at, runId],
    },
    {
      sql: `UPDATE steps SET state = 'ready', dueAt = ? WHERE pipelineRunId = ? AND gate = ? AND state = 'waiting'`,
      args: [at, runId, gate],
    },
    ...announceSteps(runId, at),
  ];
}

export function cancelRun(runId: string, at: number): Statement[] {
  return [
    {
      sql: `UPDATE pipelineRuns SET status = 'cancelled', endedAt = ? WHERE id = ? AND status IN ('running', 'suspended')`,
      args: [at, runId],
    },
    announceRun(runId, at),
    {
      sql: `UPDATE steps SET state = 'cancelled', leaseUntil = NULL, endedAt = ? WHERE pipelineRunId = ?
        AND state NOT IN ('done', 'failed', 'skipped', 'cancelled')
        AND (SELECT status FROM pipelineRuns WHERE id = pipelineRunId) = 'cancelled'`,
      args: [at, runId],
    },
    ...announceSteps(runId, at),
  ];
}

export function suspendRun(runId: string, at: number): Statement[] {
  const sql = `UPDATE pipelineRuns SET status = 'suspended' WHERE id = ? AND status = 'running'`;
  return [{ sql, args: [runId] }, announceRun(runId, at)];
}

export function resumeRun(runId: string, at: number): Statement[] {
  const sql = `UPDATE pipelineRuns SET status = 'running' WHERE id = ? AND status = 'suspended'`;
  return [{ sql, args: [runId] }, announceRun(runId, at), ...settle(runId, at)];
}

/** A new process owns the workspace: whatever an older one had in flight is interrupted, without waiting for its lease. */
export function openEpoch(at: number): Statement[] {
  return [
    {
      sql: 'INSERT INTO engineEpoch (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1',
      args: [],
    },
    {
      sql: `UPDATE steps SET state = 'ready', interrupted = 1, leaseUntil = NULL, dueAt = 0
        WHERE state = 'running' AND epoch < (SELECT epoch FROM engineEpoch)`,
      args: [],
    },
    ...announceSteps(null, at),
    { sql: 'SELECT epoch FROM engineEpoch', args: [] },
  ];
}

export function expireLeases(at: number): Statement[] {
  return [
    {
      sql: `UPDATE steps SET state = 'ready', interrupted = 1, leaseUntil = NULL, dueAt = 0
        WHERE state = 'running' AND leaseUntil < ?`,
      args: [at],
    },
    ...announceSteps(null, at),
  ];
}
