import { and, eq, inArray, ne, type SQL } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { type Publication, type PublicationState, reviewPublications } from './verdict-schema.ts';

export async function findPublication(database: Database, verdictId: string): Promise<Publication | null> {
  const rows = await database.orm
    .select()
    .from(reviewPublications)
    .where(eq(reviewPublications.verdictId, verdictId));
  return rows[0] ?? null;
}

/** Those that still have a way to go. */
export function unfinishedPublications(database: Database): Promise<Publication[]> {
  return database.orm
    .select()
    .from(reviewPublications)
    .where(inArray(reviewPublications.state, ['asked', 'pending']));
}

type Change = Partial<
  Pick<
    Publication,
    'state' | 'reason' | 'requestedBy' | 'approvalId' | 'attemptedAt' | 'fault' | 'providerId' | 'providerUrl'
  >
>;

/**
 * Changes a publication that is still in the state in which it was read; `published` is told as `review.published`.
 * @returns whether it was
 */
export function changePublication(
  database: Database,
  before: Publication,
  change: Change,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  return write(database, before, change, eq(reviewPublications.state, before.state), { actor, at: nowMs });
}

/** A person's choice, from whatever state but that it is published or on its way. */
export function requestPublication(
  database: Database,
  before: Publication,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const change = {
    state: 'pending' as const,
    reason: 'A person chose to publish it.',
    requestedBy: actor,
    fault: null,
  };
  const isElsewhere = and(ne(reviewPublications.state, 'published'), ne(reviewPublications.state, 'pending'));
  return write(database, before, change, isElsewhere, { actor, at: nowMs });
}

async function write(
  database: Database,
  before: Publication,
  change: Change,
  condition: SQL | undefined,
  { actor, at }: { actor: Actor; at: number },
): Promise<boolean> {
  const { id, reviewId, verdictId, headSha } = before;
  const { state, reason, providerUrl } = { ...before, ...change };
  const [updated] = await database.write(labelOf(state), [
    database.orm
      .update(reviewPublications)
      .set({ ...change, updatedAt: at })
      .where(and(eq(reviewPublications.id, id), condition)),
    eventIfChanged({
      ...{ at, actor, type: state === 'published' ? 'review.published' : 'review.publicationChanged' },
      subject: reviewId,
      data: { publicationId: id, verdictId, headSha, state, reason, url: providerUrl },
    }),
  ]);
  return updated?.rowsAffected === 1;
}

function labelOf(state: PublicationState): string {
  return state === 'published' ? 'publication.published' : 'publication.change';
}
