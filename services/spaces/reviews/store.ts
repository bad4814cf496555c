import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Place } from './anchor.ts';
import { reviewFindings } from './finding-schema.ts';
import type { PullRef } from './pull-url.ts';
import {
  REVIEW_COLUMNS,
  type Review,
  type ReviewQuery,
  reviewSnapshots,
  reviews,
  type Snapshot,
} from './schema.ts';

export async function findReview(database: Database, id: string): Promise<Review | null> {
  const rows = await database.orm.select(REVIEW_COLUMNS).from(reviews).where(eq(reviews.id, id));
  return rows[0] ?? null;
}

/** The review of a pull request; a repository's name is compared without regard to case. */
export async function findReviewOf(
  database: Database,
  { repository, number }: PullRef,
): Promise<Review | null> {
  const rows = await database.orm
    .select(REVIEW_COLUMNS)
    .from(reviews)
    .where(and(eq(reviews.repository, repository), eq(reviews.number, number)));
  return rows[0] ?? null;
}

export async function findReviewByKey(database: Database, key: string): Promise<Review | null> {
  const rows = await database.orm.select(REVIEW_COLUMNS).from(reviews).where(eq(reviews.key, key));
  return rows[0] ?? null;
}

export function listReviews(database: Database, { after, limit, spaceId }: ReviewQuery): Promise<Review[]> {
  const conditions: SQL[] = [gt(reviews.id, after ?? '')];
  if (spaceId !== undefined) conditions.push(eq(reviews.spaceId, spaceId));
  return database.orm
    .select(REVIEW_COLUMNS)
    .from(reviews)
    .where(and(...conditions))
    .orderBy(asc(reviews.id))
    .limit(limit + 1);
}

export async function findSnapshot(database: Database, reviewId: string): Promise<Snapshot | null> {
  const { reviewId: owner, ...columns } = getTableColumns(reviewSnapshots);
  const rows = await database.orm.select(columns).from(reviewSnapshots).where(eq(owner, reviewId));
  return rows[0] ?? null;
}

/** Writes the review and what is looked at, once per pull request; the row that is there stays. */
export async function insertReview(
  database: Database,
  review: Review,
  snapshot: Snapshot,
  key: string | null,
): Promise<void> {
  const { id, repository, number, url, spaceId, headSha, openedBy } = review;
  await database.write('review.open', [
    database.orm
      .insert(reviews)
      .values({ ...review, key })
      .onConflictDoNothing(),
    eventIfChanged({
      at: review.createdAt,
      actor: openedBy,
      type: 'review.opened',
      subject: id,
      data: { repository, number, url, spaceId, headSha },
    }),
    {
      sql: `INSERT INTO reviewSnapshots (reviewId, headSha, files, filesComplete, commits, checks)
        SELECT ?, ?, ?, ?, ?, ? WHERE changes() > 0`,
      args: [id, ...snapshotValues(snapshot)],
    },
  ]);
}

/** What of a review follows its pull request. */
export type PullFields = Pick<
  Review,
  | ('url' | 'title' | 'description' | 'author' | 'state' | 'draft')
  | ('baseRef' | 'baseSha' | 'mergeBaseSha' | 'headRef' | 'headSha')
>;

export interface Refreshed {
  fields: PullFields;
  snapshot: Snapshot;
  /** Where the findings with an anchor stand at the new head; empty when the head is the same. */
  places: ReadonlyMap<string, Place>;
}

/** Takes the pull request as it now is, whole or not at all; false when another change of the review came first. */
export async function updatePull(
  database: Database,
  before: Review,
  { fields, snapshot, places }: Refreshed,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const version = before.version + 1;
  const [updated] = await database.write('review.refresh', [
    database.orm
      .update(reviews)
      .set({ ...fields, updatedAt: nowMs, version })
      .where(and(eq(reviews.id, before.id), eq(reviews.version, before.version))),
    eventIfChanged({
      at: nowMs,
      actor,
      type: 'review.changed',
      subject: before.id,
      data: { ...changeOf(before, fields, places), version },
    }),
    database.orm
      .update(reviewSnapshots)
      .set(snapshot)
      .where(and(eq(reviewSnapshots.reviewId, before.id), sql`changes() > 0`)),
    ...[...places].map(([id, place]) =>
      database.orm
        .update(reviewFindings)
        .set({ place, version: sql`version + 1` })
        .where(and(eq(reviewFindings.id, id), sql`changes() > 0`)),
    ),
  ]);
  return updated?.rowsAffected === 1;
}

function changeOf(before: Review, { headSha, state }: PullFields, places: ReadonlyMap<string, Place>) {
  const count = (wanted: Place['state']) =>
    [...places.values()].filter((place) => place.state === wanted).length;
  const anchors = { current: count('current'), moved: count('moved'), outdated: count('outdated') };
  const head = { from: before.headSha, to: headSha };
  return { spaceId: before.spaceId, state, head, ...(places.size > 0 && { anchors }) };
}

/** Ends a batch that changed what a review is made of, right after a statement that may have changed a row. */
export function touchReview(reviewId: string, nowMs: number): Statement {
  return {
    sql: 'UPDATE reviews SET version = version + 1, updatedAt = ? WHERE id = ? AND changes() > 0',
    args: [nowMs, reviewId],
  };
}

function snapshotValues({ headSha, files, filesComplete, commits, checks }: Snapshot): unknown[] {
  const lists = [files, commits].map((list) => JSON.stringify(list));
  return [headSha, lists[0], filesComplete ? 1 : 0, lists[1], checks && JSON.stringify(checks)];
}
