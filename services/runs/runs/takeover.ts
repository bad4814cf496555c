import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { insertEntryWhere } from '../entries/store.ts';
import type { UserEntry } from '../harness/journal.ts';
import { type PauseRequest, pauseStatements, resumeStatements } from './pausing.ts';
import { runEventIfChanged } from './run.ts';
import type { RunRow, Takeover } from './schema.ts';
import { SUBTREE } from './tree.ts';

/** A person takes a run's conversation and working trees over, and gives them back; each step is one commit. */

/** SQL: the run `runs` is held by this person. */
const IS_HELD_BY = `EXISTS (SELECT 1 FROM runs t WHERE t.id = ? AND t.takenOverBy = ? AND t.phase <> 'ended')`;

/**
 * Asks for a root run that has begun, and pauses its tree; nothing of its conversation starts from here on. The same person
 * may ask again.
 * @returns the ids of those that are still in a call; null when it cannot be had
 */
export async function requestTakeover(database: Database, request: PauseRequest): Promise<string[] | null> {
  const { runId, by, at } = request;
  const results = await database.write('run.takeover', [
    {
      sql: `UPDATE runs SET takenOverBy = ? WHERE id = ? AND takenOverBy IS NULL AND phase <> 'ended'
        AND startedAt IS NOT NULL AND cancelRequested = 0 AND NOT ${OTHERS_AT_WORK} AND NOT ${OTHERS_HELD}`,
      args: [by, runId, runId],
    },
    runEventIfChanged({ at, actor: by, type: 'run.takeoverRequested', subject: runId, data: {} }),
    ...pauseStatements(request, { sql: IS_HELD_BY, args: [runId, by] }),
    { sql: `SELECT ${IS_HELD_BY} AS held`, args: [runId, by] },
  ]);
  if (Number(results.at(-1)?.rows[0]?.held) !== 1) return null;
  return results.at(-2)?.rows.map((row) => String(row.id)) ?? [];
}

/** Of the run `runs`, whose id is bound: a run of another tree is live in its conversation. */
const OTHERS_AT_WORK = `EXISTS (SELECT 1 FROM runs o WHERE o.conversationId = runs.conversationId AND o.phase = 'live'
  AND coalesce(o.rootRunId, o.id) <> ?)`;

const OTHERS_HELD = `EXISTS (SELECT 1 FROM runs o WHERE o.conversationId = runs.conversationId
  AND o.takenOverBy IS NOT NULL AND o.phase <> 'ended')`;

/** Ids of the runs of the tree that still have a loop. */
export async function liveOfTree(database: Database, runId: string): Promise<string[]> {
  const rows = await database.read({
    sql: `${SUBTREE} SELECT r.id FROM runs r JOIN below b ON r.id = b.id WHERE r.phase = 'live'`,
    args: [runId],
  });
  return rows.map((row) => String(row.id));
}

/** Keeps what the working trees were when the person got them; the first that says so holds. False: it is not held so. */
export async function recordTakeover(
  database: Database,
  { id, agentId }: Pick<RunRow, 'id' | 'agentId'>,
  by: Actor,
  takeover: Takeover,
): Promise<boolean> {
  const shown = takeover.worktrees.map(({ repository, path, branch }) => ({ repository, path, branch }));
  const data = { agentId, worktrees: shown };
  const [recorded] = await database.write('run.takenOver', [
    {
      sql: `UPDATE runs SET takenOver = ? WHERE id = ? AND takenOverBy = ? AND takenOver IS NULL AND phase = 'paused'`,
      args: [JSON.stringify(takeover), id, by],
    },
    runEventIfChanged({ at: takeover.at, actor: by, type: 'run.takenOver', subject: id, data }),
  ]);
  return recorded?.rowsAffected === 1;
}

export interface Handback {
  run: RunRow;
  by: Actor;
  entry: UserEntry;
  at: number;
}

/**
 * Gives a run back to its agent, which reads first what the person says: it and all below it go on. False: it is not paused
 * in that person's hands any more, and nothing was written.
 */
export async function handBack(database: Database, { run, by, entry, at }: Handback): Promise<boolean> {
  const { id, takenOverBy } = run;
  const held: Statement = {
    sql: `EXISTS (SELECT 1 FROM runs t WHERE t.id = ? AND t.takenOverBy = ? AND t.phase = 'paused')`,
    args: [id, takenOverBy],
  };
  const [inserted] = await database.write('run.handback', [
    insertEntryWhere(id, entry, at, held),
    runEventIfChanged({ at, actor: by, type: 'run.handedBack', subject: id, data: { takenOverBy } }),
    ...resumeStatements({ runId: id, by, at }, held),
    {
      sql: `UPDATE runs SET takenOverBy = NULL, takenOver = NULL
        WHERE id = ? AND takenOverBy = ? AND phase = 'queued' AND pauseRequestedAt IS NULL`,
      args: [id, takenOverBy],
    },
  ]);
  return inserted?.rowsAffected === 1;
}
