import type { RoleHistory } from '../../../core-wasm/core.ts';
import type { Database } from '../../kit/database/database.ts';

export type AgentHistory = { -readonly [K in keyof RoleHistory]: number[] } & { runs: number };

/** Of each agent, the most recent completed runs: older ones say little about what the next will cost. */
const RUNS_PER_AGENT = 200;

/** Costs (micro-dollars, known ones only) and durations (milliseconds) of completed runs by agent. */
export async function readHistories(
  database: Database,
  agentIds: readonly string[],
): Promise<Record<string, AgentHistory>> {
  const histories: Record<string, AgentHistory> = {};
  for (const agentId of agentIds) histories[agentId] = await readHistory(database, agentId);
  return histories;
}

async function readHistory(database: Database, agentId: string): Promise<AgentHistory> {
  const rows = await database.read({
    sql: `SELECT costMicros, endedAt - startedAt AS durationMs FROM runs
      WHERE agentId = ? AND status = 'completed' ORDER BY endedAt DESC LIMIT ?`,
    args: [agentId, RUNS_PER_AGENT],
  });
  const known = rows.filter((row) => row.costMicros !== null);
  return {
    costMicros: known.map((row) => Number(row.costMicros)),
    durationMs: rows.map((row) => Number(row.durationMs)),
    runs: rows.length,
  };
}
