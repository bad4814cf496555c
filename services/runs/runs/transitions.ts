import type { Mode } from '../../../core-wasm/core.ts';
import type { Database, Statement, WriteResult } from '../../kit/database/database.ts';
import { eventIfChanged, type NewEvent } from '../../kit/database/event-log.ts';
import { releaseStatement } from '../budgets/reservations.ts';
import { renewsAt } from '../budgets/scopes.ts';
import { insertEntry } from '../entries/store.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { keepPrompt, type SystemPieces } from '../pages/prompt-store.ts';
import { endStatements } from './end-run.ts';
import { type Holding, holds } from './holding.ts';
import { pauseIfAsked } from './pausing.ts';
import { isRunId, runEvent, type ToldRun } from './run.ts';
import type { RunRow } from './schema.ts';
import { findRow } from './store.ts';
import type { ResumePlan } from './trouble.ts';

/** Every change of a run's phase, each a compare-and-set committed with its event. */

export interface StartFacts {
  mode: Mode;
  profileVersion: number;
  model: string;
  tools: string[];
  sandbox: string;
  branch: string | null;
}

/** What the model is told before anything else. */
interface Sent {
  system: SystemPieces;
  prompt: string;
}

/** Records what the run starts with and its prompt; false when it is no longer held or has started. */
export async function startRun(
  database: Database,
  run: RunRow,
  facts: StartFacts,
  { system, prompt }: Sent,
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
      keepPrompt(holding, system, at),
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
export async function continueRun(
  database: Database,
  run: RunRow,
  { system }: Pick<Sent, 'system'>,
  at: number,
): Promise<boolean> {
  const holding = { runId: run.id, epoch: run.epoch };
  const fence = holds(holding);
  return changed(
    await database.write('run.continue', [
      {
        sql: `UPDATE runs SET status = 'running', liveness = 'progressing', errorFamily = NULL, summary = NULL
          WHERE id = ? AND ${fence.sql}`,
        args: [run.id, ...fence.args],
      },
      eventIfChanged(runEvent(run, 'run.continued', at, {})),
      keepPrompt(holding, system, at),
    ]),
  );
}

/** How a live run left its loop; `resume` says how it goes on by itself. */
export interface Leaving {
  outcome: HarnessOutcome;
  resume: ResumePlan | null;
}

/**
 * Commits how a live run left its loop: ended, paused or waiting. One that came to its end while it was told something more
 * is back in the queue. False when it is no longer held, or goes on.
 */
export async function leaveLoop(
  database: Database,
  holding: Holding,
  { outcome, resume }: Leaving,
  at: number,
): Promise<boolean> {
  const row = await findRow(database, holding.runId);
  if (outcome.status === 'suspended') return suspend(database, row, outcome, holding, at);
  if (outcome.status === 'paused') return pause(database, row, { outcome, resume }, holding, at);
  const ends = await endStatements(database, row, outcome, at, holds(holding));
  return changed(await database.write('run.end', [...ends, requeueIfHeld(holding)]));
}

/** What could not end goes on. */
function requeueIfHeld({ runId, epoch }: Holding): Statement {
  return {
    sql: `UPDATE runs SET phase = 'queued' WHERE id = ? AND phase = 'live' AND epoch = ?`,
    args: [runId, epoch],
  };
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
  const set = `phase = 'waiting', liveness = 'waiting', waitingFor = ?, summary = ?, parkedAt = ?`;
  return park(database, 'run.wait', holding, set, [waitingFor, summary, at], event);
}

/** A person's own pause stays one until that person says otherwise, whatever else has come. */
async function pause(
  database: Database,
  row: RunRow,
  { outcome, resume }: Leaving,
  holding: Holding,
  at: number,
): Promise<boolean> {
  const { errorFamily, liveness, summary } = outcome;
  const renewal = errorFamily === 'budget' && row.budgetStop ? renewsAt(row.budgetStop) : null;
  const resumeAt = resume?.resumeAt ?? renewal;
  const event = runEvent(row, 'run.paused', at, { errorFamily, summary, resumeAt });
  const set = `phase = 'paused', status = 'paused', liveness = ?, errorFamily = ?, summary = ?, parkedAt = ?,
    resumeAt = CASE WHEN pauseRequestedAt IS NULL THEN ? END, resumeTries = coalesce(?, resumeTries),
    troubleSince = coalesce(?, troubleSince), troubleAnswers = coalesce(?, troubleAnswers)`;
  const trouble = [resume?.resumeTries ?? null, resume?.troubleSince ?? null, resume?.troubleAnswers ?? null];
  const values = [liveness, errorFamily, summary, at, resumeAt, ...trouble];
  return park(database, 'run.pause', holding, set, values, event);
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
  const { runId } = holding;
  const [, updated] = await database.write(label, [
    releaseStatement(holding),
    { sql: `UPDATE runs SET ${set} WHERE ${fence.sql} AND id = ?`, args: [...values, ...fence.args, runId] },
    eventIfChanged(event),
    ...pauseIfAsked(runId, event.actor, event.at),
    requeueIfOver(runId),
  ]);
  return updated?.rowsAffected === 1;
}

/**
 * What the run is about to wait for may have come while it decided to: a sub-agent's end, its own cancel, or a word to go on
 * from whoever had asked for the pause.
 */
function requeueIfOver(runId: string): Statement {
  return {
    sql: `UPDATE runs SET phase = 'queued', waitingFor = NULL, liveness = 'progressing', parkedAt = NULL,
        status = CASE WHEN startedAt IS NULL THEN 'queued' ELSE 'running' END
      WHERE id = ? AND (phase IN ('waiting', 'paused') AND cancelRequested = 1
        OR phase = 'paused' AND errorFamily IS NULL AND pauseRequestedAt IS NULL
        OR phase = 'waiting' AND EXISTS (SELECT 1 FROM runs awaited WHERE awaited.id = runs.waitingFor
          AND awaited.phase = 'ended'))`,
    args: [runId],
  };
}

/** The run was silent for half of what it may, or was heard again; told once. */
export async function noteLiveness(
  database: Database,
  holding: Holding,
  run: Pick<ToldRun, 'agentId' | 'budgetScope'>,
  liveness: 'stalled' | 'progressing',
  at: number,
): Promise<void> {
  const fence = holds(holding);
  await database.write('run.liveness', [
    {
      sql: `UPDATE runs SET liveness = ? WHERE id = ? AND liveness = ? AND ${fence.sql}`,
      args: [liveness, holding.runId, liveness === 'stalled' ? 'progressing' : 'stalled', ...fence.args],
    },
    eventIfChanged(runEvent({ ...run, id: holding.runId }, 'run.liveness', at, { liveness })),
  ]);
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
        sql: `UPDATE runs SET phase = 'queued', waitingFor = NULL, liveness = 'progressing', parkedAt = NULL
          WHERE phase = 'waiting' AND (waitingFor = ? OR id = ?)`,
        args: [approvalId, askedBy],
      },
    ]),
  );
}

function changed(results: readonly WriteResult[]): boolean {
  return (results[0]?.rowsAffected ?? 0) > 0;
}
