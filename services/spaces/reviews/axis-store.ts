import { eq } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged, eventStatement } from '../../kit/database/event-log.ts';
import { type AxisList, DEFAULT_AXES } from './axes.ts';
import { type AxisResultRow, reviewAxisLists, reviewAxisResults } from './axis-schema.ts';
import { touchReview } from './store.ts';

/** The workspace's own list, or the default. */
export async function axisList(database: Database): Promise<AxisList> {
  const rows = await database.orm.select({ axes: reviewAxisLists.axes }).from(reviewAxisLists);
  return rows[0]?.axes ?? DEFAULT_AXES;
}

export async function saveAxisList(
  database: Database,
  axes: AxisList,
  actor: Actor,
  nowMs: number,
): Promise<void> {
  const row = { axes, updatedAt: nowMs };
  await database.write('review.axes', [
    database.orm
      .insert(reviewAxisLists)
      .values({ id: 1, ...row })
      .onConflictDoUpdate({ target: reviewAxisLists.id, set: row }),
    eventStatement({ at: nowMs, actor, type: 'review.axesSet', subject: 'axes', data: { axes } }),
  ]);
}

export function listAxisResults(database: Database, reviewId: string): Promise<AxisResultRow[]> {
  return database.orm.select().from(reviewAxisResults).where(eq(reviewAxisResults.reviewId, reviewId));
}

/** The newest word on each axis stands. */
export async function saveAxisResults(database: Database, rows: readonly AxisResultRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { reviewId, headSha, givenBy, givenAt } = first;
  const results = rows.map(({ axis, result, note }) => ({ axis, result, note }));
  await database.write('review.axisResults', [
    ...rows.map((row) =>
      database.orm
        .insert(reviewAxisResults)
        .values(row)
        .onConflictDoUpdate({ target: [reviewAxisResults.reviewId, reviewAxisResults.axis], set: row }),
    ),
    eventIfChanged({
      at: givenAt,
      actor: givenBy,
      type: 'review.axesJudged',
      subject: reviewId,
      data: { headSha, results },
    }),
    touchReview(reviewId, givenAt),
  ]);
}
