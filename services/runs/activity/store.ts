import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import type { ErrorFamily, Liveness } from '../harness/outcome.ts';
import type { RunPhase, RunStatus } from '../runs/schema.ts';
import type { ActiveRun } from './activity.ts';

/** The run that an agent's state is derived from. */
export interface LatestRun {
  id: string;
  status: RunStatus;
  liveness: Liveness;
  conversationId: string | null;
  spaceId: string | null;
  errorFamily: ErrorFamily | null;
  summary: string | null;
  resumeAt: number | null;
  takenOverBy: Actor | null;
  /** Its end, or its start while it has none. */
  at: number;
}

/** When the last thing happened that says how an agent stands; an index is on it. */
const LAST_AT = 'coalesce(endedAt, startedAt, createdAt)';

/** By agent id, for those of the agents that have run: the run in progress that began last, else the last of all. */
export async function latestRuns(
  database: Database,
  agentIds: readonly string[],
): Promise<Map<string, LatestRun>> {
  const rows = await database.read({
    sql: `SELECT a.value AS agentId, r.id, r.status, r.liveness, r.conversationId, r.spaceId, r.errorFamily, r.summary,
        r.resumeAt, r.takenOverBy, ${LAST_AT} AS at
      FROM json_each(?) a JOIN runs r ON r.id = coalesce(
        (SELECT id FROM runs WHERE agentId = a.value AND status = 'running' ORDER BY startedAt DESC, id DESC LIMIT 1),
        (SELECT id FROM runs WHERE agentId = a.value AND (startedAt IS NOT NULL OR phase = 'ended')
          ORDER BY ${LAST_AT} DESC, id DESC LIMIT 1))`,
    args: [JSON.stringify(agentIds)],
  });
  return new Map(
    rows.map((row) => [
      String(row.agentId),
      {
        id: String(row.id),
        status: row.status as RunStatus,
        liveness: row.liveness as Liveness,
        ...{ conversationId: textOrNull(row.conversationId), spaceId: textOrNull(row.spaceId) },
        errorFamily: row.errorFamily as ErrorFamily | null,
        summary: textOrNull(row.summary),
        resumeAt: row.resumeAt === null ? null : Number(row.resumeAt),
        takenOverBy: row.takenOverBy as Actor | null,
        at: Number(row.at),
      },
    ]),
  );
}

/** Every agent that has run, found by skipping from one to the next in the index. */
const AGENTS = `agents (agentId) AS (
  SELECT min(agentId) FROM runs
  UNION ALL SELECT (SELECT min(r.agentId) FROM runs r WHERE r.agentId > agents.agentId) FROM agents WHERE agents.agentId IS NOT NULL
)`;

const BEGUN = `phase IN ('queued', 'live', 'waiting', 'paused') AND startedAt IS NOT NULL`;

/** Every run that has begun and not ended, and of each agent that has none the one that ended last. */
export async function activeRuns(database: Database): Promise<ActiveRun[]> {
  const rows = await database.read({
    sql: `WITH RECURSIVE ${AGENTS}, begun AS (SELECT * FROM runs WHERE ${BEGUN})
      SELECT b.id, b.agentId, b.phase, b.waitingFor, b.conversationId, b.spaceId, coalesce(e.at, b.startedAt) AS lastAt,
        CASE e.kind WHEN 'toolHeld' THEN json_extract(e.entry, '$.name') END AS heldTool
      FROM begun b
      LEFT JOIN runEntries e ON e.runId = b.id AND e.seq = (SELECT max(seq) FROM runEntries WHERE runId = b.id)
      UNION ALL
      SELECT r.id, r.agentId, r.phase, r.waitingFor, r.conversationId, r.spaceId, ${LAST_AT}, NULL
      FROM agents a JOIN runs r ON r.id = (SELECT id FROM runs WHERE agentId = a.agentId AND phase = 'ended'
        ORDER BY ${LAST_AT} DESC, id DESC LIMIT 1)
      WHERE NOT EXISTS (SELECT 1 FROM begun WHERE agentId = a.agentId)`,
    args: [],
  });
  return rows.map((row) => ({
    agentId: String(row.agentId),
    runId: String(row.id),
    phase: row.phase as RunPhase,
    waitingFor: textOrNull(row.waitingFor),
    conversationId: textOrNull(row.conversationId),
    spaceId: textOrNull(row.spaceId),
    lastAt: Number(row.lastAt),
    heldTool: textOrNull(row.heldTool),
  }));
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}
