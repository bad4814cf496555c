import type { Actor } from '../../kit/actor.ts';
import type { Database, Row } from '../../kit/database/database.ts';
import type { ErrorFamily, Liveness } from '../harness/outcome.ts';
import type { RunPhase } from '../runs/schema.ts';
import { type Standing, standingFor } from './standing.ts';

/** How the tree of an unfinished root run stands. */
interface RunStanding {
  /** The root. */
  runId: string;
  standing: Standing;
  /** The run of the tree at which it stands, of which the rest is said: the root, or the sub-agent whose end is awaited. */
  atRunId: string;
  agentId: string;
  agentName: string;
  /** What a person has to decide; null unless it is awaited. */
  approvalId: string | null;
  errorFamily: ErrorFamily | null;
  summary: string | null;
  resumeAt: number | null;
  takenOverBy: Actor | null;
  pausedBy: Actor | null;
  /** Since when it waits or is paused, or has been in the queue; null while a loop is at it. */
  since: number | null;
  /** What the whole tree has cost so far; null when a part is unknown. */
  costMicros: number | null;
  /** Of the root alone, without overlap. */
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
}

/** A run waits for one sub-agent at a time, so that going down from run to run ends at the one that everything hangs on. */
const STANDINGS = `WITH RECURSIVE roots AS (
    SELECT id FROM runs WHERE budgetScope = ? AND phase IN ('queued', 'live', 'waiting', 'paused') AND parentRunId IS NULL
  ), chain (root, id, phase, waitingFor, hop) AS (
    SELECT r.id, r.id, r.phase, r.waitingFor, 0 FROM roots JOIN runs r ON r.id = roots.id
    UNION ALL SELECT c.root, r.id, r.phase, r.waitingFor, c.hop + 1 FROM chain c JOIN runs r ON r.id = c.waitingFor
      WHERE c.phase = 'waiting' AND r.phase <> 'ended'
  ), ends AS (SELECT root, id, max(hop) AS hop FROM chain GROUP BY root)
  SELECT e.root, at.id, at.agentId, at.agentName, at.phase, at.liveness, at.errorFamily, at.summary, at.waitingFor,
    at.startedAt, at.resumeAt, at.pauseRequestedBy, at.parkedAt, at.createdAt, r.takenOverBy,
    r.inputTokens, r.outputTokens, r.cacheReadTokens, r.cacheWriteTokens,
    (SELECT CASE WHEN sum(t.costMicros IS NULL) = 0 THEN sum(t.costMicros) END
      FROM runs t WHERE t.id = e.root OR t.rootRunId = e.root) AS costMicros
  FROM ends e JOIN runs at ON at.id = e.id JOIN runs r ON r.id = e.root ORDER BY e.root`;

/** Of every run of a budget that has not ended and is nobody's sub-agent. */
export async function readStandings(database: Database, budgetScope: string): Promise<RunStanding[]> {
  const rows = await database.read({ sql: STANDINGS, args: [budgetScope] });
  return rows.map(standingOfRow);
}

function standingOfRow(row: Row): RunStanding {
  const facts = {
    phase: row.phase as RunPhase,
    liveness: row.liveness as Liveness,
    errorFamily: row.errorFamily as ErrorFamily | null,
    ...{ waitingFor: textOrNull(row.waitingFor), startedAt: numberOrNull(row.startedAt) },
    ...{ resumeAt: numberOrNull(row.resumeAt), takenOverBy: row.takenOverBy as Actor | null },
    pauseRequestedBy: row.pauseRequestedBy as Actor | null,
  };
  const standing = standingFor(facts);
  return {
    ...{ runId: String(row.root), standing, atRunId: String(row.id) },
    ...{ agentId: String(row.agentId), agentName: String(row.agentName) },
    approvalId: standing === 'awaiting' ? facts.waitingFor : null,
    ...{ errorFamily: facts.errorFamily, summary: textOrNull(row.summary), resumeAt: facts.resumeAt },
    ...{ takenOverBy: facts.takenOverBy, pausedBy: facts.phase === 'paused' ? facts.pauseRequestedBy : null },
    since: standing === 'queued' ? Number(row.createdAt) : numberOrNull(row.parkedAt),
    costMicros: numberOrNull(row.costMicros),
    tokens: {
      input: Number(row.inputTokens),
      output: Number(row.outputTokens),
      cacheRead: Number(row.cacheReadTokens),
      cacheWrite: Number(row.cacheWriteTokens),
    },
  };
}

const textOrNull = (value: unknown) => (value === null ? null : String(value));
const numberOrNull = (value: unknown) => (value === null ? null : Number(value));
