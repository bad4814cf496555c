import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { endStatements } from './end-run.ts';
import { runEventIfChanged } from './run.ts';
import { findRows } from './store.ts';
import { SUBTREE } from './tree.ts';

export const CANCELLED: HarnessOutcome = {
  status: 'cancelled',
  liveness: 'empty',
  errorFamily: 'cancelled',
  summary: 'The run was cancelled.',
  output: null,
  waitingFor: null,
};

export interface Cancel {
  runId: string;
  scope: 'tree' | 'below';
  by: Actor;
  at: number;
}

/**
 * Marks a run and everything below it, or only what is below, in one commit with who asked for it: from then on none of them
 * starts anything, and those without a loop stand in the queue, where this process or the next ends them.
 * @returns the ids of those that had not ended
 */
export async function markCancelled(database: Database, { runId, scope, by, at }: Cancel): Promise<string[]> {
  const [marked] = await database.write('run.cancel', [
    {
      sql: `${SUBTREE} UPDATE runs SET cancelRequested = 1, waitingFor = NULL, resumeAt = NULL,
          pauseRequestedBy = NULL, pauseRequestedAt = NULL, takenOverBy = NULL,
          phase = CASE WHEN phase IN ('waiting', 'paused') THEN 'queued' ELSE phase END
        WHERE id IN (SELECT id FROM below) AND phase <> 'ended' AND (id <> ? OR ?) RETURNING id`,
      args: [runId, runId, scope === 'tree' ? 1 : 0],
    },
    runEventIfChanged({ at, actor: by, type: 'run.cancelRequested', subject: runId, data: { scope } }),
  ]);
  return marked?.rows.map((row) => String(row.id)) ?? [];
}

async function unfinishedAmong(database: Database, ids: readonly string[]): Promise<number> {
  return (await findRows(database, ids)).filter(({ phase }) => phase !== 'ended').length;
}

/** Of an idle run below which nothing goes on: what ends earlier in the same commit counts. */
const MAY_END: Statement = {
  sql: `phase <> 'live' AND phase <> 'ended' AND cancelRequested = 1
    AND NOT EXISTS (SELECT 1 FROM runs below WHERE below.parentRunId = runs.id AND below.phase <> 'ended')`,
  args: [],
};

/**
 * Ends those of the marked runs that have no loop and wait for nobody's end, the deepest first.
 * @returns how many have not ended
 */
export async function endCancelled(database: Database, ids: readonly string[], at: number): Promise<number> {
  const rows = (await findRows(database, ids)).filter(({ phase }) => phase !== 'ended');
  const idle = rows.filter(({ phase }) => phase !== 'live').toSorted((a, b) => b.depth - a.depth);
  const ends = await Promise.all(idle.map((row) => endStatements(database, row, CANCELLED, at, MAY_END)));
  if (ends.length > 0) await database.write('run.end', ends.flat());
  return rows.length === 0 ? 0 : unfinishedAmong(database, ids);
}
