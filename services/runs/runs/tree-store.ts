import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunRow } from './schema.ts';
import type { NodeFacts } from './tree-node.ts';

/** What is read of a run, in this order. */
const COLUMNS = [
  ...(['id', 'parentRunId', 'depth', 'agentId', 'agentName', 'conversationId', 'triggerKind'] as const),
  ...(['status', 'phase', 'liveness', 'errorFamily', 'summary', 'waitingFor', 'costMicros'] as const),
  ...(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const),
  ...(['createdAt', 'startedAt', 'endedAt'] as const),
] as const;
type Facts = Pick<RunRow, (typeof COLUMNS)[number]>;

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

/** All rows come as one JSON text: thousands are read three times as fast so. */
async function factsOf(database: Database, rows: string, args: unknown[]): Promise<NodeFacts[]> {
  const sql = `SELECT json_group_array(json_array(${COLUMNS.join(', ')})) AS facts FROM (${rows})`;
  const [found] = await database.read({ sql, args });
  const read = JSON.parse(String(found?.facts)) as unknown[][];
  return read.map(factsOfValues).toSorted(fromTheRootsDown).map(nodeFacts);
}

function factsOfValues(values: readonly unknown[]): Facts {
  const facts: Partial<Record<keyof Facts, unknown>> = {};
  COLUMNS.forEach((name, i) => {
    facts[name] = values[i];
  });
  return facts as Facts;
}

function fromTheRootsDown(a: Facts, b: Facts): number {
  return a.depth - b.depth || (a.id < b.id ? -1 : 1);
}

function nodeFacts({ depth, triggerKind, ...facts }: Facts): NodeFacts {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, ...rest } = facts;
  const tokens = { input: inputTokens, output: outputTokens, cacheRead: cacheReadTokens };
  return { ...rest, trigger: triggerKind, tokens: { ...tokens, cacheWrite: cacheWriteTokens } };
}
