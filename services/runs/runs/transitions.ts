import type { Mode } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement, WriteResult } from '../../kit/database/database.ts';
import { eventIfChanged, eventStatement, type NewEvent } from '../../kit/database/event-log.ts';
import { releaseStatement } from '../budgets/store.ts';
import { insertEntry } from '../entries/store.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { endStatements } from './end-run.ts';
import { type Holding, holds } from './holding.ts';
import { isRunId, runEvent } from './run.ts';
import type { RunRow } from './schema.ts';
import { findRow } from './store.ts';

/** Every change of a run's phase, each a compare-and-set committed with its event. */

export interface StartFacts {
  mode: Mode;
  profileVersion: number;
  model: string;
  tools: string[];
  sandbox: string;
  branch: string | null;
}

/** Records what the run starts with and its prompt; false when it is no longer held or has started. */
export async function startRun(
  database: Database,
  run: RunRow,
  facts: StartFacts,
  prompt: string,
  at: number,
): Promise<boolean> {
  const holding = { runId: run.id, epoch: run.epoch };
  const fence = holds(holding);
  const { mode, profileVersion, model, tools, sandbox, branch } = facts;
  const event = runEvent(run, 'run.started', at, { mode, profileVersion, model, tools, sandbox, branch });
  const values = [mode, profileVersion, model, JSON.stringify(tools), sandbox, branch, at];
  return changed(
    await database.write('run.start', [
      {
        sql: `UPDATE runs SET status = 'running', mode = ?, profileVersion = ?, model = ?, tools = ?, sandbox = ?, branch = ?,
          startedAt = ?, liveness = 'progressing' WHERE id = ? AND startedAt IS NULL AND ${fence.sql}`,
        args: [...values, run.id, ...fence.args],
      },
      eventIfChanged(event),
      promptIfFirst(holding, prompt, at),
    ]),
  );
}

/** The run's first entry, in the commit of its start; the harness adds it to a run that has none. */
function promptIfFirst(holding: Holding, text: string, at: number): Statement {
  const { sql, args } = insertEntry(holding, { kind: 'user', cause: 'prompt', text }, at);
  return {
    sql: `${sql} AND NOT EXISTS (SELECT 1 FROM runEntries WHERE runId = ?)`,
    args: [...args, holding.runId],
  };
}

/** A run that had started goes on. */
export async function continueRun(database: Database, run: RunRow, at: number): Promise<boolean> {
  const fence = holds({ runId: run.id, epoch: run.epoch });
  return changed(
    await database.write('run.continue', [
      {
        sql: `UPDATE runs SET status = 'running', liveness = 'progressing', errorFamily = NULL, summary = NULL
          WHERE id = ? AND ${fence.sql}`,
        args: [run.id, ...fence.args],
      },
      eventIfChanged(runEvent(run, 'run.continued', at, {})),
    ]),
  );
}

/** Commits how a live run left its loop: ended, paused or waiting. False when it is no longer held. */
export async function leaveLoop(
  database: Database,
  holding: Holding,
  outcome: HarnessOutcome,
  at: number,
): Promise<boolean> {
  const row = await findRow(database, holding.runId);
  if (outcome.status === 'suspended') return suspend(database, row, outcome, holding, at);
  if (outcome.status === 'paused') return pause(database, row, outcome, holding, at);
  return changed(
    await database.write('run.end', await endStatements(database, row, outcome, at, holds(holding))),
  );
}

async function suspend(
  database: Database,
  row: RunRow,
  outcome: HarnessOutcome,
  holding: Holding,
  at: number,
): Promise<boolean> {
  const { waitingFor } = outcome;
  const isRun = waitingFor !== null && isRunId(waitingFor);
  const summary = isRun ? 'The run waits for a sub-agent.' : outcome.summary;
  const [approvalId, childRunId] = isRun ? [null, waitingFor] : [waitingFor, null];
  const event = runEvent(row, 'run.waiting', at, { approvalId, childRunId });
  const set = `phase = 'waiting', liveness = 'waiting', waitingFor = ?, summary = ?`;
  return park(database, 'run.wait', holding, set, [waitingFor, summary], event);
}

async function pause(
  database: Database,
  row: RunRow,
  outcome: HarnessOutcome,
  holding: Holding,
  at: number,
): Promise<boolean> {
  const { errorFamily, liveness, summary } = outcome;
  const event = runEvent(row, 'run.paused', at, { errorFamily, summary });
  const set = `phase = 'paused', status = 'paused', liveness = ?, errorFamily = ?, summary = ?`;
  return park(database, 'run.pause', holding, set, [liveness, errorFamily, summary], event);
}

async function park(
  database: Database,
  label: string,
  holding: Holding,
  set: string,
  values: unknown[],
  event: NewEvent,
): Promise<boolean> {
  const fence = holds(holding);
  const [, updated] = await database.write(label, [
    releaseStatement(holding),
    {
      sql: `UPDATE runs SET ${set} WHERE ${fence.sql} AND id = ?`,
      args: [...values, ...fence.args, holding.runId],
    },
    eventIfChanged(event),
    requeueIfOver(holding.runId),
  ]);
  return updated?.rowsAffected === 1;
}

/** What the run is about to wait for may have come while it decided to: a sub-agent's end, or its own cancel. */
function requeueIfOver(runId: string): Statement {
  return {
    sql: `UPDATE runs SET phase = 'queued', waitingFor = NULL, liveness = 'progressing'
      WHERE id = ? AND phase IN ('waiting', 'paused') AND (cancelRequested = 1
        OR EXISTS (SELECT 1 FROM runs awaited WHERE awaited.id = runs.waitingFor AND awaited.phase = 'ended'))`,
    args: [runId],
  };
}

/** Who asked for a pause; the loop itself stops after the call it is making. */
export async function notePause(database: Database, runId: string, by: Actor, at: number): Promise<void> {
  await database.write('run.pauseRequest', [
    eventStatement({ at, actor: by, type: 'run.pauseRequested', subject: runId, data: {} }),
  ]);
}

/** Puts a paused run back in the queue, in the name of whoever resumes it; false when it is not paused. */
export async function resumeRun(database: Database, row: RunRow, by: Actor, at: number): Promise<boolean> {
  return changed(
    await database.write('run.resume', [
      {
        sql: `UPDATE runs SET phase = 'queued', status = CASE WHEN startedAt IS NULL THEN 'queued' ELSE 'running' END,
          liveness = 'progressing', errorFamily = NULL, summary = NULL WHERE id = ? AND phase = 'paused'`,
        args: [row.id],
      },
      eventIfChanged({ at, actor: by, type: 'run.resumed', subject: row.id, data: {} }),
    ]),
  );
}

/**
 * A decision has come: the run that waits for it is queued again, once, and so is the run that asked for it, whatever it
 * waits for now.
 */
export async function wakeWaiting(
  database: Database,
  approvalId: string,
  askedBy: string | null,
): Promise<boolean> {
  return changed(
    await database.write('run.wake', [
      {
        sql: `UPDATE runs SET phase = 'queued', waitingFor = NULL, liveness = 'progressing'
          WHERE phase = 'waiting' AND (waitingFor = ? OR id = ?)`,
        args: [approvalId, askedBy],
      },
    ]),
  );
}

function changed(results: readonly WriteResult[]): boolean {
  return (results[0]?.rowsAffected ?? 0) > 0;
}
