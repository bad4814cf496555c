import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { isService } from '../permission.ts';
import {
  assessmentOf,
  type Dropped,
  type Finding,
  type FindingRow,
  type NewFinding,
  named,
} from './finding-schema.ts';
import {
  countDropped,
  countFindings,
  findDroppedByKey,
  findFindingByKey,
  insertDropped,
  insertFinding,
} from './finding-store.ts';
import { knownReview, requireHead, reviewWithSpace } from './known-review.ts';
import { requireParticipant } from './participant.ts';
import type { Review } from './schema.ts';

/** What became of a finding: kept, or dropped with the reasons; `dropped` counts all that the review has lost so. */
export type FindingOutcome =
  | { kind: 'added'; finding: Finding }
  | { kind: 'dropped'; reasons: string[]; dropped: number };

/** Enough for any review that somebody reads; a model that goes astray fills no database. */
const MOST_FINDINGS = 1_000;

/**
 * Adds a finding, once per key. Without a valid priority and confidence it is dropped and counted.
 * @throws Fault forbidden, not_found, too_large, stale_revision when it is about another head
 */
export async function addFinding(
  deps: SpacesDeps,
  database: Database,
  reviewId: string,
  input: NewFinding,
  author: Actor,
): Promise<FindingOutcome> {
  const { review, space } = await reviewWithSpace(database, reviewId);
  if (isService(author))
    throw new Fault('forbidden', 'A finding has an author: an agent of the space or a person.');
  await requireParticipant(deps, space, author, 'add findings to its review');
  const known = await outcomeOf(database, input.key);
  if (known) return known;
  await requireRoom(database, reviewId);
  const assessment = assessmentOf(input);
  return assessment.priority === null
    ? drop(deps, database, review, { ...input, reasons: assessment.reasons }, author)
    : keep(deps, database, review, { ...input, ...assessment }, author);
}

async function requireRoom(database: Database, reviewId: string): Promise<void> {
  const count = (await countFindings(database, reviewId)) + (await countDropped(database, reviewId));
  if (count < MOST_FINDINGS) return;
  throw new Fault('too_large', `A review has room for ${MOST_FINDINGS} findings, dropped ones included.`);
}

async function drop(
  deps: SpacesDeps,
  database: Database,
  { id: reviewId }: Review,
  { key, reasons }: NewFinding & { reasons: string[] },
  author: Actor,
): Promise<FindingOutcome> {
  const dropped: Dropped = { id: newId('drp'), reviewId, author, reasons, createdAt: deps.clock() };
  await insertDropped(database, dropped, key ?? null);
  return (await outcomeOf(database, key)) ?? droppedOutcome(database, dropped);
}

async function keep(
  deps: SpacesDeps,
  database: Database,
  review: Review,
  input: NewFinding & Pick<FindingRow, 'priority' | 'confidence'>,
  author: Actor,
): Promise<FindingOutcome> {
  const { key, headSha } = input;
  requireHead(review, headSha);
  const finding = findingOf(review, input, author, deps.clock());
  const isAdded = await insertFinding(database, finding, key ?? null);
  const kept = await outcomeOf(database, key);
  if (kept) return kept;
  if (isAdded) return { kind: 'added', finding: named(finding) };
  // A push came in between: this was about the head before.
  const present = await knownReview(database, review.id);
  requireHead(present, headSha ?? review.headSha);
  return keep(deps, database, present, input, author);
}

function findingOf(
  { id: reviewId, headSha }: Review,
  {
    type,
    priority,
    confidence,
    body,
    anchor,
    onBehalfOf,
  }: Pick<FindingRow, 'type' | 'priority' | 'confidence' | 'body' | 'anchor' | 'onBehalfOf'>,
  author: Actor,
  createdAt: number,
): FindingRow {
  return {
    ...{ id: newId('fnd'), reviewId, type, priority, confidence, body, headSha, anchor, author, onBehalfOf },
    place: anchor && { ...anchor, sha: headSha, state: 'current' },
    ...{ status: 'open', confirmedBy: [], resolved: null, createdAt, version: 1 },
  };
}

async function outcomeOf(database: Database, key: string | undefined): Promise<FindingOutcome | null> {
  if (key === undefined) return null;
  const finding = await findFindingByKey(database, key);
  if (finding) return { kind: 'added', finding: named(finding) };
  const dropped = await findDroppedByKey(database, key);
  return dropped && droppedOutcome(database, dropped);
}

async function droppedOutcome(database: Database, { reviewId, reasons }: Dropped): Promise<FindingOutcome> {
  return { kind: 'dropped', reasons, dropped: await countDropped(database, reviewId) };
}
