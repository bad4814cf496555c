import { type Actor, isPerson } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import { runEventIfChanged, toldOfRun } from './run.ts';
import { SUBTREE } from './tree.ts';

/** A run pauses with everything below it, and goes on with it. What asks for that stands in the rows, so no crash undoes it. */

const BY_A_PERSON = 'Paused by a person.';

export interface PauseRequest {
  runId: string;
  by: Actor;
  at: number;
}

/**
 * Asks a run and all below it to stop: what has a loop does so after the call it is making, what has none is paused here.
 * @returns the ids of those that have a loop
 */
export async function requestPause(
  database: Database,
  request: PauseRequest,
): Promise<{ live: string[]; isNew: boolean }> {
  const [asked, , , live] = await database.write('run.pauseRequest', pauseStatements(request));
  return { live: live?.rows.map((row) => String(row.id)) ?? [], isNew: (asked?.rowsAffected ?? 0) > 0 };
}

/** The first tells how many were asked, the last which of them have a loop. `condition` is of the row that is asked. */
export function pauseStatements(
  { runId, by, at }: PauseRequest,
  condition: Statement = { sql: '1', args: [] },
): [Statement, Statement, Statement, Statement] {
  return [
    {
      sql: `${SUBTREE} UPDATE runs SET pauseRequestedBy = ?, pauseRequestedAt = ?, resumeAt = NULL,
          parkedAt = CASE WHEN phase IN ('queued', 'waiting') THEN ? ELSE parkedAt END,
          status = CASE WHEN phase IN ('queued', 'waiting') THEN 'paused' ELSE status END,
          liveness = CASE WHEN phase IN ('queued', 'waiting') THEN 'waiting' ELSE liveness END,
          summary = CASE WHEN phase IN ('queued', 'waiting') THEN '${BY_A_PERSON}' ELSE summary END,
          phase = CASE WHEN phase IN ('queued', 'waiting') THEN 'paused' ELSE phase END
        WHERE id IN (SELECT id FROM below) AND phase <> 'ended' AND cancelRequested = 0 AND pauseRequestedAt IS NULL
          AND ${condition.sql}`,
      args: [runId, by, at, at, ...condition.args],
    },
    runEventIfChanged({ at, actor: by, type: 'run.pauseRequested', subject: runId, data: {} }),
    pausedEvents(
      by,
      at,
      `runs WHERE phase = 'paused' AND pauseRequestedAt = ? AND parkedAt = ?
        AND id IN (${SUBTREE} SELECT id FROM below)`,
      [at, at, runId],
    ),
    {
      sql: `${SUBTREE} SELECT id FROM runs WHERE phase = 'live' AND id IN (SELECT id FROM below)`,
      args: [runId],
    },
  ];
}

function pausedEvents(actor: Actor, at: number, from: string, args: readonly unknown[]): Statement {
  const data = toldOfRun(`json_object('errorFamily', NULL, 'summary', summary)`);
  return eventsOfRows({ at, actor, type: 'run.paused' }, { subject: 'id', data, from, args });
}

/** A run that comes to wait although a pause was asked meanwhile is paused in the same commit. */
export function pauseIfAsked(runId: string, agent: Actor, at: number): Statement[] {
  return [
    {
      sql: `UPDATE runs SET phase = 'paused', status = 'paused', summary = '${BY_A_PERSON}'
        WHERE id = ? AND phase = 'waiting' AND pauseRequestedAt IS NOT NULL`,
      args: [runId],
    },
    runEventIfChanged({
      ...{ at, actor: agent, type: 'run.paused', subject: runId },
      data: { errorFamily: null, summary: BY_A_PERSON },
    }),
  ];
}

/** Where a paused run is back in the queue. */
export const GOES_ON = `waitingFor = CASE WHEN phase = 'paused' THEN NULL ELSE waitingFor END,
  liveness = CASE WHEN phase = 'paused' THEN 'progressing' ELSE liveness END,
  errorFamily = CASE WHEN phase = 'paused' THEN NULL ELSE errorFamily END,
  summary = CASE WHEN phase = 'paused' THEN NULL ELSE summary END,
  status = CASE WHEN phase <> 'paused' THEN status WHEN startedAt IS NULL THEN 'queued' ELSE 'running' END,
  phase = CASE WHEN phase = 'paused' THEN 'queued' ELSE phase END,
  pauseRequestedBy = NULL, pauseRequestedAt = NULL, resumeAt = NULL, parkedAt = NULL`;

/** Of the run `runs`: nobody holds what is of its conversation. */
export const IS_FREE: Statement = {
  sql: `NOT EXISTS (SELECT 1 FROM runs held WHERE held.takenOverBy IS NOT NULL AND held.phase <> 'ended'
    AND (held.id = runs.id OR held.conversationId = runs.conversationId))`,
  args: [],
};

/** SQL, with the id of a run bound: a pause was asked of the run that it works for, with which it goes on. */
const IS_PARENT_PAUSED = `EXISTS (SELECT 1 FROM runs asked JOIN runs parent ON parent.id = asked.parentRunId
  WHERE asked.id = ? AND parent.pauseRequestedAt IS NOT NULL AND parent.phase <> 'ended')`;

/**
 * Lets a paused run go on with all below it that is paused, in the name of whoever says so; a run that waits comes to see
 * for itself whether what it waits for has been decided. The trouble that it had is forgotten. What a person has paused goes
 * on when a person says so.
 */
export function resumeStatements(
  { runId, by, at }: PauseRequest,
  condition: Statement = IS_FREE,
): [Statement, Statement] {
  return [
    {
      sql: `${SUBTREE} UPDATE runs SET ${GOES_ON}, resumeTries = 0, troubleSince = NULL, troubleAnswers = NULL, crashes = 0
        WHERE id IN (SELECT id FROM below) AND phase <> 'ended' AND cancelRequested = 0
          AND (phase = 'paused' OR pauseRequestedAt IS NOT NULL) AND ${condition.sql}
          AND (? OR coalesce(pauseRequestedBy, '') NOT LIKE 'person:%') RETURNING id`,
      args: [runId, ...condition.args, isPerson(by) ? 1 : 0],
    },
    runEventIfChanged({ at, actor: by, type: 'run.resumed', subject: runId, data: {} }),
  ];
}

/**
 * @returns the ids of those that go on; none when nothing of it was paused, somebody has taken it over, or the run that it
 * works for is paused
 */
export async function resumeRun(database: Database, request: PauseRequest): Promise<string[]> {
  const condition = { sql: `${IS_FREE.sql} AND NOT ${IS_PARENT_PAUSED}`, args: [request.runId] };
  const [resumed] = await database.write('run.resume', resumeStatements(request, condition));
  return resumed?.rows.map((row) => String(row.id)) ?? [];
}

const IS_DUE = `phase = 'paused' AND resumeAt <= ? AND pauseRequestedAt IS NULL AND cancelRequested = 0`;

/** Lets every run go on whose time to do so by itself has come. @returns how many */
export async function resumeDue(database: Database, at: number): Promise<number> {
  const event = { at, actor: 'service:runs', type: 'run.resumed' } as const;
  const data = toldOfRun(`json_object('automatic', json('true'))`);
  const [, resumed] = await database.write('run.resumeDue', [
    eventsOfRows(event, { subject: 'id', data, from: `runs WHERE ${IS_DUE}`, args: [at] }),
    { sql: `UPDATE runs SET ${GOES_ON} WHERE ${IS_DUE}`, args: [at] },
  ]);
  return resumed?.rowsAffected ?? 0;
}

/** When the next run goes on by itself; null when none does. */
export async function nextResumeAt(database: Database): Promise<number | null> {
  const [row] = await database.read({
    sql: `SELECT min(resumeAt) AS at FROM runs WHERE resumeAt IS NOT NULL AND phase = 'paused'`,
    args: [],
  });
  return row?.at == null ? null : Number(row.at);
}
