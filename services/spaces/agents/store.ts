import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { AGENT_COLUMNS, type Agent, agents } from './schema.ts';
import { toldChanges } from './told-changes.ts';

export async function findAgent(database: Database, id: string): Promise<Agent | null> {
  const rows = await database.orm.select(AGENT_COLUMNS).from(agents).where(eq(agents.id, id));
  return rows[0] ?? null;
}

export async function findAgentByName(database: Database, name: string): Promise<Agent | null> {
  const sameName = sql`${agents.name} = ${name} COLLATE NOCASE`;
  const rows = await database.orm.select(AGENT_COLUMNS).from(agents).where(sameName);
  return rows[0] ?? null;
}

export async function findAgentByKey(database: Database, key: string): Promise<Agent | null> {
  const rows = await database.orm.select(AGENT_COLUMNS).from(agents).where(eq(agents.key, key));
  return rows[0] ?? null;
}

export function listAgents(database: Database, paging: Paging): Promise<Agent[]> {
  return database.orm
    .select(AGENT_COLUMNS)
    .from(agents)
    .where(gt(agents.id, paging.after ?? ''))
    .orderBy(asc(agents.id))
    .limit(paging.limit + 1);
}

export function allAgents(database: Database): Promise<Agent[]> {
  return database.orm.select(AGENT_COLUMNS).from(agents).orderBy(asc(agents.id));
}

/** What mentions resolve to. */
export function agentNames(database: Database): Promise<{ id: string; name: string }[]> {
  return database.orm.select({ id: agents.id, name: agents.name }).from(agents);
}

/** What a roster shows of each. */
export function agentTitles(database: Database): Promise<{ id: string; name: string; title: string }[]> {
  return database.orm.select({ id: agents.id, name: agents.name, title: agents.title }).from(agents);
}

/** The ids that no agent of this workspace has, in the order given. */
export async function unknownAgents(database: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await database.orm
    .select({ id: agents.id })
    .from(agents)
    .where(inArray(agents.id, [...ids]));
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

/**
 * Writes nothing when the key is taken.
 * @throws Fault conflict when the name is
 */
export async function insertAgent(
  database: Database,
  agent: Agent,
  key: string | null,
  actor: Actor,
): Promise<boolean> {
  const [inserted] = await database.write('agent.create', [
    database.orm
      .insert(agents)
      .values({ ...agent, key })
      .onConflictDoNothing({ target: agents.key }),
    eventIfChanged({
      at: agent.createdAt,
      actor,
      type: 'agent.created',
      subject: agent.id,
      data: { name: agent.name, title: agent.title, reportsTo: agent.reportsTo },
    }),
  ]);
  return inserted?.rowsAffected === 1;
}

/** Wins only over the version that `before` has, and only while the new superior does not report to the agent. */
export async function updateAgent(
  database: Database,
  before: Agent,
  after: Agent,
  changed: string[],
  actor: Actor,
): Promise<boolean> {
  const { id, ...fields } = after;
  const [updated] = await database.write('agent.change', [
    database.orm
      .update(agents)
      .set(fields)
      .where(and(eq(agents.id, id), eq(agents.version, before.version), noCycle(id, after.reportsTo))),
    eventIfChanged({
      at: after.updatedAt,
      actor,
      type: 'agent.changed',
      subject: id,
      data: {
        ...{ name: after.name, changed, version: after.version },
        changes: toldChanges(before, after, changed),
      },
    }),
  ]);
  return updated?.rowsAffected === 1;
}

function noCycle(id: string, reportsTo: string | null) {
  return sql`NOT EXISTS (
    WITH RECURSIVE superior (id) AS (
      SELECT ${reportsTo} UNION
      SELECT above.reportsTo FROM agents above JOIN superior ON above.id = superior.id
    ) SELECT 1 FROM superior WHERE id = ${id}
  )`;
}
