import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { CONVERSATION_COLUMNS, type Conversation, conversations, type ShownConversation } from './schema.ts';

export async function findConversation(database: Database, id: string): Promise<Conversation | null> {
  const rows = await database.orm
    .select(CONVERSATION_COLUMNS)
    .from(conversations)
    .where(eq(conversations.id, id));
  return rows[0] ?? null;
}

async function findConversationByKey(database: Database, key: string): Promise<Conversation | null> {
  const rows = await database.orm
    .select(CONVERSATION_COLUMNS)
    .from(conversations)
    .where(eq(conversations.key, key));
  return rows[0] ?? null;
}

const OF_IT = sql.raw('FROM messages WHERE messages.conversationId = conversations.id');
const SHOWN_COLUMNS = {
  ...CONVERSATION_COLUMNS,
  messageCount: sql<number>`(SELECT count(*) ${OF_IT})`,
  lastMessageAt: sql<number | null>`(SELECT createdAt ${OF_IT} ORDER BY messages.seq DESC LIMIT 1)`,
};

export async function findShownConversation(
  database: Database,
  id: string,
): Promise<ShownConversation | null> {
  const rows = await database.orm.select(SHOWN_COLUMNS).from(conversations).where(eq(conversations.id, id));
  return rows[0] ?? null;
}

export function listConversations(
  database: Database,
  spaceId: string,
  paging: Paging,
): Promise<ShownConversation[]> {
  return database.orm
    .select(SHOWN_COLUMNS)
    .from(conversations)
    .where(and(eq(conversations.spaceId, spaceId), gt(conversations.id, paging.after ?? '')))
    .orderBy(asc(conversations.id))
    .limit(paging.limit + 1);
}

export async function insertConversation(
  database: Database,
  conversation: Conversation,
  key: string | null,
  actor: Actor,
): Promise<Conversation> {
  const { spaceId, kind, parentMessageId, title } = conversation;
  await database.write('conversation.create', [
    database.orm
      .insert(conversations)
      .values({ ...conversation, key })
      .onConflictDoNothing({ target: conversations.key }),
    eventIfChanged({
      at: conversation.createdAt,
      actor,
      type: 'conversation.created',
      subject: conversation.id,
      data: { spaceId, kind, parentMessageId, title },
    }),
  ]);
  return (key === null ? null : await findConversationByKey(database, key)) ?? conversation;
}
