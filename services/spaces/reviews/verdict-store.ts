import { and, desc, eq, inArray } from 'drizzle-orm';
import type { PolicyDecision } from '../../../core-wasm/core.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Message } from '../messages/schema.ts';
import { type Review, reviews } from './schema.ts';
import { type Publication, reviewVerdicts, type Verdict } from './verdict-schema.ts';

export async function findVerdict(database: Database, id: string | null): Promise<Verdict | null> {
  if (id === null) return null;
  const rows = await database.orm.select().from(reviewVerdicts).where(eq(reviewVerdicts.id, id));
  return rows[0] ?? null;
}

/** Newest first. */
export function listVerdicts(database: Database, reviewId: string): Promise<Verdict[]> {
  return database.orm
    .select()
    .from(reviewVerdicts)
    .where(eq(reviewVerdicts.reviewId, reviewId))
    .orderBy(desc(reviewVerdicts.id));
}

/** The word and the head of each verdict, by its id. */
export async function verdictWords(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<Verdict, 'verdict' | 'headSha'>>> {
  const { id, verdict, headSha } = reviewVerdicts;
  const rows = await database.orm
    .select({ id, verdict, headSha })
    .from(reviewVerdicts)
    .where(inArray(reviewVerdicts.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

export interface Finalized {
  verdict: Verdict;
  /** What decided over the way to the provider. */
  decision: PolicyDecision;
  publication: Publication;
  /** What tells of it in the review's space. */
  message: Message;
}

/**
 * Writes a verdict, its message and its way to the provider, all or nothing.
 * @returns false when anything that the review is made of changed since `before` was read
 */
export async function insertVerdict(
  database: Database,
  before: Review,
  { verdict, decision, publication, message }: Finalized,
): Promise<boolean> {
  const { id, headSha, finalizedBy, createdAt } = verdict;
  const { id: publicationId, state } = publication;
  const [updated] = await database.write('review.finalize', [
    database.orm
      .update(reviews)
      .set({ verdictId: id, version: before.version + 1, updatedAt: createdAt })
      .where(and(eq(reviews.id, before.id), eq(reviews.version, before.version))),
    eventIfChanged({
      at: createdAt,
      actor: finalizedBy,
      type: 'review.finalized',
      subject: before.id,
      data: {
        ...{ verdictId: id, headSha, verdict: verdict.verdict, findings: verdict.findings.length },
        ...{ spaceId: before.spaceId, publicationId, state, decision },
      },
    }),
    ...messageStatements(message, before.spaceId, id),
    rowIfChanged('reviewVerdicts', verdict),
    rowIfChanged('reviewPublications', publication),
  ]);
  return updated?.rowsAffected === 1;
}

function messageStatements(message: Message, spaceId: string, verdictId: string): Statement[] {
  const { conversationId, kind } = message;
  const data = { conversationId, spaceId, kind, mentions: [], wake: [] };
  return [
    rowIfChanged('messages', { ...message, key: `review/${verdictId}` }),
    eventIfChanged({
      at: message.createdAt,
      actor: message.author,
      type: 'message.posted',
      subject: message.id,
      data,
    }),
  ];
}

/** A row of one of this service's own tables, written when the statement before it changed one. */
function rowIfChanged(table: string, row: Record<string, unknown>): Statement {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  return {
    sql: `INSERT INTO ${table} (${names.join(', ')}) SELECT ${marks} WHERE changes() > 0`,
    args: Object.values(row).map(columnValue),
  };
}

function columnValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
