import type { Database, Statement } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunRow } from './schema.ts';

/** How far below its root a run may be. */
const MAX_DEPTH = 3;
/** Sub-agents of one tree that have not ended. */
const MAX_ALIVE = 8;
/** Sub-agents of one tree, those that have ended included. */
const MAX_IN_ALL = 40;

const ALIVE = `(SELECT count(*) FROM runs WHERE rootRunId = ? AND phase <> 'ended')`;
const IN_ALL = '(SELECT count(*) FROM runs WHERE rootRunId = ?)';

/** `WITH` clause of `below (id, depth)`: a run and everything under it. */
export const SUBTREE = `WITH RECURSIVE below (id, depth) AS (
  SELECT id, depth FROM runs WHERE id = ?
  UNION ALL
  SELECT r.id, r.depth FROM runs r JOIN below b ON r.parentRunId = b.id
)`;

export function rootOf(run: Pick<RunRow, 'id' | 'rootRunId'>): string {
  return run.rootRunId ?? run.id;
}

/** Holds while the run may start one more sub-agent: part of the insert, so that no two pass a bound together. */
export function mayStartSubagent(parent: RunRow): Statement {
  const root = rootOf(parent);
  return {
    sql: `EXISTS (SELECT 1 FROM runs p WHERE p.id = ? AND p.phase <> 'ended' AND p.cancelRequested = 0
        AND p.startedAt IS NOT NULL AND p.depth < ${MAX_DEPTH})
      AND ${ALIVE} < ${MAX_ALIVE} AND ${IN_ALL} < ${MAX_IN_ALL}`,
    args: [parent.id, root, root],
  };
}

/** Why `mayStartSubagent` did not hold. */
export async function subagentRefusal(database: Database, parent: RunRow): Promise<Fault> {
  const { id, depth } = parent;
  if (depth >= MAX_DEPTH) {
    const message = `Run ${id} is ${depth} deep in its tree of sub-agents, and ${MAX_DEPTH} is the most. Do this task yourself.`;
    return new Fault('tree_limit', message, { bound: 'depth', limit: MAX_DEPTH });
  }
  const root = rootOf(parent);
  const [found] = await database.read({
    sql: `SELECT ${ALIVE} AS alive, ${IN_ALL} AS inAll`,
    args: [root, root],
  });
  if (Number(found?.inAll) >= MAX_IN_ALL) {
    const message = `The tree of run ${root} has had ${MAX_IN_ALL} sub-agents, and that is the most. Do this task yourself.`;
    return new Fault('tree_limit', message, { bound: 'inAll', limit: MAX_IN_ALL });
  }
  if (Number(found?.alive) >= MAX_ALIVE) {
    const message = `The tree of run ${root} has ${MAX_ALIVE} sub-agents that have not ended, and that is the most. Wait for one of them, or do this task yourself.`;
    return new Fault('tree_limit', message, { bound: 'alive', limit: MAX_ALIVE });
  }
  const message = `Run ${id} has not begun, has ended or is being stopped, so it starts no sub-agent.`;
  return new Fault('wrong_status', message);
}

/** Ids of a run and of everything under it, its own first. */
export async function idsBelow(database: Database, runId: string): Promise<string[]> {
  const rows = await database.read({
    sql: `${SUBTREE} SELECT id FROM below ORDER BY depth, id`,
    args: [runId],
  });
  return rows.map(({ id }) => String(id));
}

/** Whether a sub-agent of the run, or one below that, has not ended; of a run that has ended none begins any more. */
export async function goesOnBelow(database: Database, runId: string): Promise<boolean> {
  const rows = await database.read({
    sql: `${SUBTREE} SELECT 1 FROM runs r JOIN below b ON r.id = b.id WHERE r.id <> ? AND r.phase <> 'ended' LIMIT 1`,
    args: [runId, runId],
  });
  return rows.length > 0;
}

/** Ids of the agents of the runs above it, and of those by whose delegation it came to be, without its own. */
export async function agentsAbove(
  database: Database,
  { id, agentId }: Pick<RunRow, 'id' | 'agentId'>,
): Promise<string[]> {
  const rows = await database.read({
    sql: `WITH RECURSIVE above (id, up, agentId) AS (
        SELECT id, coalesce(parentRunId, causeRunId), agentId FROM runs WHERE id = ?
        UNION SELECT r.id, coalesce(r.parentRunId, r.causeRunId), r.agentId FROM runs r JOIN above a ON r.id = a.up
      ) SELECT DISTINCT agentId FROM above WHERE agentId <> ? ORDER BY agentId`,
    args: [id, agentId],
  });
  return rows.map((row) => String(row.agentId));
}

/** What a run and its sub-agents have cost together; null when a part is unknown. */
export async function treeCostMicros(database: Database, runId: string): Promise<number | null> {
  const [row] = await database.read({
    sql: `${SUBTREE} SELECT sum(r.costMicros) AS costMicros, sum(r.costMicros IS NULL) AS unknown
      FROM runs r JOIN below b ON r.id = b.id`,
    args: [runId],
  });
  return Number(row?.unknown) > 0 ? null : Number(row?.costMicros);
}
