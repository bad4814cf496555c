import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { NodeFacts } from './tree-node.ts';

/** What a tree shows of a run, as one JSON text: thousands of rows are read as one. */
const FACTS = `json_group_array(json_object('id', id, 'parentRunId', parentRunId, 'agentId', agentId, 'agentName', agentName,
  'conversationId', conversationId, 'trigger', triggerKind, 'status', status, 'phase', phase, 'liveness', liveness,
  'errorFamily', errorFamily, 'summary', summary, 'waitingFor', waitingFor, 'costMicros', costMicros,
  'tokens', json_object('input', inputTokens, 'output', outputTokens, 'cacheRead', cacheReadTokens, 'cacheWrite', cacheWriteTokens),
  'createdAt', createdAt, 'startedAt', startedAt, 'endedAt', endedAt) ORDER BY depth, id)`;

/**
 * The whole tree that a run belongs to, from its root down.
 * @throws Fault not_found
 */
export async function treeFacts(database: Database, runId: string): Promise<NodeFacts[]> {
  const facts = await factsOf(
    database,
    `WITH root (id) AS (SELECT coalesce(rootRunId, id) FROM runs WHERE id = ?)
      SELECT r.* FROM runs r JOIN root ON r.id = root.id
      UNION ALL SELECT r.* FROM runs r JOIN root ON r.rootRunId = root.id`,
    [runId],
  );
  if (facts.length > 0) return facts;
  throw new Fault('not_found', `There is no run ${JSON.stringify(runId)} in this workspace.`);
}

/** A page of a conversation's trees in the order of creation, each whole; `after` is the id of the last root before. */
export function conversationFacts(
  database: Database,
  { conversationId, after, limit }: { conversationId: string; after: string; limit: number },
): Promise<NodeFacts[]> {
  return factsOf(
    database,
    `WITH roots (id) AS (SELECT id FROM runs
        WHERE conversationId = ? AND parentRunId IS NULL AND id > ? ORDER BY id LIMIT ?)
      SELECT r.* FROM runs r JOIN roots ON r.id = roots.id
      UNION ALL SELECT r.* FROM runs r JOIN roots ON r.rootRunId = roots.id`,
    [conversationId, after, limit],
  );
}

async function factsOf(database: Database, rows: string, args: unknown[]): Promise<NodeFacts[]> {
  const [found] = await database.read({ sql: `SELECT ${FACTS} AS facts FROM (${rows})`, args });
  return JSON.parse(String(found?.facts)) as NodeFacts[];
}
