import { and, asc, eq, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import {
  type Dropped,
  FINDING_COLUMNS,
  type FindingRow,
  type Resolved,
  reviewDropped,
  reviewFindings,
} from './finding-schema.ts';
import { touchReview } from './store.ts';

/** In the order in which they were added. */
export function listFindings(database: Database, reviewId: string): Promise<FindingRow[]> {
  return database.orm
    .select(FINDING_COLUMNS)
    .from(reviewFindings)
    .where(eq(reviewFindings.reviewId, reviewId))
    .orderBy(asc(reviewFindings.id));
}

export async function findFinding(
  database: Database,
  reviewId: string,
  id: string,
): Promise<FindingRow | null> {
  const rows = await database.orm
    .select(FINDING_COLUMNS)
    .from(reviewFindings)
    .where(and(eq(reviewFindings.id, id), eq(reviewFindings.reviewId, reviewId)));
  return rows[0] ?? null;
}

export async function findFindingByKey(database: Database, key: string): Promise<FindingRow | null> {
  const rows = await database.orm
    .select(FINDING_COLUMNS)
    .from(reviewFindings)
    .where(eq(reviewFindings.key, key));
  return rows[0] ?? null;
}

export async function findDroppedByKey(database: Database, key: string): Promise<Dropped | null> {
  const rows = await database.orm.select().from(reviewDropped).where(eq(reviewDropped.key, key));
  return rows[0] ?? null;
}

export function countFindings(database: Database, reviewId: string): Promise<number> {
  return database.orm.$count(reviewFindings, eq(reviewFindings.reviewId, reviewId));
}

export function countDropped(database: Database, reviewId: string): Promise<number> {
  return database.orm.$count(reviewDropped, eq(reviewDropped.reviewId, reviewId));
}

/**
 * Writes the finding only while the review still has the head that it was made at, so that its lines are that head's.
 * @returns false when the head is another by now, or the key is known
 */
export async function insertFinding(
  database: Database,
  finding: FindingRow,
  key: string | null,
): Promise<boolean> {
  const {
    id,
    reviewId,
    type,
    priority,
    confidence,
    body,
    headSha,
    anchor,
    place,
    author,
    createdAt,
    onBehalfOf,
  } = finding;
  const [inserted] = await database.write('finding.add', [
    {
      sql: `INSERT INTO reviewFindings (id, reviewId, type, priority, confidence, body, headSha, anchor, place, author, onBehalfOf,
          status, confirmedBy, createdAt, version, key)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', '[]', ?, 1, ?
        WHERE EXISTS (SELECT 1 FROM reviews WHERE id = ? AND headSha = ?)
          AND NOT EXISTS (SELECT 1 FROM reviewDropped WHERE key = ?) ON CONFLICT (key) DO NOTHING`,
      args: [
        ...[id, reviewId, type, priority, confidence, body, headSha, jsonOf(anchor), jsonOf(place), author],
        ...[jsonOf(onBehalfOf), createdAt, key, reviewId, headSha, key],
      ],
    },
    eventIfChanged({
      at: createdAt,
      actor: author,
      type: 'finding.added',
      subject: id,
      data: { reviewId, type, priority: `P${priority}`, confidence, place },
    }),
    touchReview(reviewId, createdAt),
  ]);
  return inserted?.rowsAffected === 1;
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Counts a finding that gave no valid priority or confidence, once per key. */
export async function insertDropped(database: Database, dropped: Dropped, key: string | null): Promise<void> {
  const { id, reviewId, author, reasons, createdAt } = dropped;
  await database.write('finding.drop', [
    {
      sql: `INSERT INTO reviewDropped (id, reviewId, author, reasons, createdAt, key) SELECT ?, ?, ?, ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM reviewFindings WHERE key = ?) ON CONFLICT (key) DO NOTHING`,
      args: [id, reviewId, author, JSON.stringify(reasons), createdAt, key, key],
    },
    eventIfChanged({
      at: createdAt,
      actor: author,
      type: 'finding.dropped',
      subject: id,
      data: { reviewId, reasons },
    }),
    touchReview(reviewId, createdAt),
  ]);
}

/** Adds a peer's word; false when the finding was changed since it was read. */
export async function insertConfirmation(
  database: Database,
  before: FindingRow,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const confirmedBy = [...before.confirmedBy, actor];
  const change = { status: 'consensusReady' as const, confirmedBy };
  return changeFinding(database, before, change, { at: nowMs, actor, type: 'finding.confirmed' });
}

/** A person's word that a finding is dealt with or wrong; false when it was changed since it was read. */
export async function insertResolution(
  database: Database,
  before: FindingRow,
  resolved: Resolved,
): Promise<boolean> {
  const event = { at: resolved.at, actor: resolved.by, type: 'finding.resolved' };
  return changeFinding(database, before, { resolved }, event);
}

async function changeFinding(
  database: Database,
  { id, reviewId, version, status: present }: FindingRow,
  change: Partial<Pick<FindingRow, 'status' | 'confirmedBy' | 'resolved'>>,
  event: { at: number; actor: Actor; type: string },
): Promise<boolean> {
  const { status = present, confirmedBy, resolved } = change;
  const data = {
    reviewId,
    status,
    ...(confirmedBy && { confirmedBy }),
    ...(resolved && { reason: resolved.reason }),
  };
  const [updated] = await database.write('finding.change', [
    database.orm
      .update(reviewFindings)
      .set({ ...change, version: sql`version + 1` })
      .where(and(eq(reviewFindings.id, id), eq(reviewFindings.version, version))),
    eventIfChanged({ ...event, subject: id, data }),
    touchReview(reviewId, event.at),
  ]);
  return updated?.rowsAffected === 1;
}
