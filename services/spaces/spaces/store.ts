import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { newClosing } from '../approvals/closing.ts';
import type { Paging } from '../fields.ts';
import { closeGatesOutsidePlan } from '../plan-exit/gates.ts';
import { type ShownSpace, SPACE_COLUMNS, type Space, spaces } from './schema.ts';

export async function findSpace(database: Database, id: string): Promise<Space | null> {
  const rows = await database.orm.select(SPACE_COLUMNS).from(spaces).where(eq(spaces.id, id));
  return rows[0] ?? null;
}

export async function findSpaceByKey(database: Database, key: string): Promise<Space | null> {
  const rows = await database.orm.select(SPACE_COLUMNS).from(spaces).where(eq(spaces.key, key));
  return rows[0] ?? null;
}

// The last message of each conversation is found in an index, however many there are.
const LAST_MESSAGE_AT = sql<number | null>`(SELECT max((SELECT createdAt FROM messages
  WHERE conversationId = conversations.id ORDER BY messages.seq DESC LIMIT 1))
  FROM conversations WHERE conversations.spaceId = spaces.id)`;
const SHOWN_COLUMNS = { ...SPACE_COLUMNS, lastMessageAt: LAST_MESSAGE_AT };

export async function findShownSpace(database: Database, id: string): Promise<ShownSpace | null> {
  const rows = await database.orm.select(SHOWN_COLUMNS).from(spaces).where(eq(spaces.id, id));
  return rows[0] ?? null;
}

export function listSpaces(database: Database, paging: Paging): Promise<ShownSpace[]> {
  return database.orm
    .select(SHOWN_COLUMNS)
    .from(spaces)
    .where(gt(spaces.id, paging.after ?? ''))
    .orderBy(asc(spaces.id))
    .limit(paging.limit + 1);
}

/** The space and its main conversation in one commit; the row that holds the key when there is one already. */
export async function insertSpace(
  database: Database,
  space: Space,
  key: string | null,
  actor: Actor,
): Promise<Space> {
  const { id, name, mode, mainConversationId, autonomy, whenNobody } = space;
  await database.write('space.create', [
    database.orm
      .insert(spaces)
      .values({ ...space, key })
      .onConflictDoNothing({ target: spaces.key }),
    {
      sql: `INSERT INTO conversations (id, spaceId, kind, title, createdAt) SELECT ?, ?, 'main', ?, ? WHERE changes() > 0`,
      args: [mainConversationId, id, name, space.createdAt],
    },
    eventIfChanged({
      at: space.createdAt,
      actor,
      type: 'space.created',
      subject: id,
      data: { name, mode, mainConversationId, autonomy, whenNobody },
    }),
  ]);
  return (key === null ? null : await findSpaceByKey(database, key)) ?? space;
}

export async function updateSpace(
  database: Database,
  before: Space,
  changes: Partial<Pick<Space, 'mode' | 'name' | 'agents' | 'autonomy' | 'whenNobody'>>,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const version = before.version + 1;
  const [updated] = await database.write('space.change', [
    database.orm
      .update(spaces)
      .set({ ...changes, version })
      .where(and(eq(spaces.id, before.id), eq(spaces.version, before.version))),
    eventIfChanged({
      at: nowMs,
      actor,
      type: 'space.changed',
      subject: before.id,
      data: { ...changes, version },
    }),
    ...(changes.mode ? closeGatesOutsidePlan(before.id, newClosing(actor, nowMs)) : []),
  ]);
  return updated?.rowsAffected === 1;
}
