import { type Actor, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { changeRow } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import { isService } from '../permission.ts';
import {
  assessmentOf,
  type Dropped,
  type Finding,
  type FindingRow,
  type NewFinding,
} from './finding-schema.ts';
import {
  countDropped,
  findDroppedByKey,
  findFinding,
  findFindingByKey,
  insertConfirmation,
  insertDropped,
  insertFinding,
  insertResolution,
} from './finding-store.ts';
import { knownReview, requireHead, reviewWithSpace } from './known-review.ts';
import { requireParticipant } from './participant.ts';
import type { Review } from './schema.ts';

/** What became of a finding: kept, or dropped with the reasons; `dropped` counts all that the review has lost so. */
export type FindingOutcome =
  | { kind: 'added'; finding: Finding }
  | { kind: 'dropped'; reasons: string[]; dropped: number };

/**
 * Adds a finding, once per key. Without a valid priority and confidence it is dropped and counted.
 * @throws Fault forbidden, not_found, stale_revision when it is about another head
 */
export async function addFinding(
  deps: SpacesDeps,
  database: Database,
  reviewId: string,
  input: NewFinding,
  author: Actor,
): Promise<FindingOutcome> {
  const { key, headSha } = input;
  const { review, space } = await reviewWithSpace(database, reviewId);
  if (isService(author))
    throw new Fault('forbidden', 'A finding has an author: an agent of the space or a person.');
  await requireParticipant(deps, space, author, 'add findings to its review');
  const known = key === undefined ? null : await outcomeOf(database, key);
  if (known) return known;
  const assessment = assessmentOf(input);
  const createdAt = deps.clock();
  if (assessment.priority === null) {
    const { reasons } = assessment;
    const dropped: Dropped = { id: newId('drp'), reviewId, author, reasons, createdAt };
    await insertDropped(database, dropped, key ?? null);
    return (key && (await outcomeOf(database, key))) || droppedOutcome(database, dropped);
  }
  requireHead(review, headSha);
  const finding = findingOf(review, { ...input, ...assessment }, author, createdAt);
  const isAdded = await insertFinding(database, finding, key ?? null);
  const kept = key === undefined ? null : await outcomeOf(database, key);
  if (kept) return kept;
  if (isAdded) return { kind: 'added', finding: named(finding) };
  // A push came in between: this was about the head before.
  requireHead(await knownReview(database, reviewId), headSha ?? review.headSha);
  return addFinding(deps, database, reviewId, input, author);
}

function findingOf(
  { id: reviewId, headSha }: Review,
  {
    type,
    priority,
    confidence,
    body,
    anchor,
  }: Pick<FindingRow, 'type' | 'priority' | 'confidence' | 'body' | 'anchor'>,
  author: Actor,
  createdAt: number,
): FindingRow {
  return {
    ...{ id: newId('fnd'), reviewId, type, priority, confidence, body, headSha, anchor, author },
    place: anchor && { ...anchor, sha: headSha, state: 'current' },
    ...{ status: 'open', confirmedBy: [], resolved: null, createdAt, version: 1 },
  };
}

async function outcomeOf(database: Database, key: string): Promise<FindingOutcome | null> {
  const finding = await findFindingByKey(database, key);
  if (finding) return { kind: 'added', finding: named(finding) };
  const dropped = await findDroppedByKey(database, key);
  return dropped && droppedOutcome(database, dropped);
}

async function droppedOutcome(database: Database, { reviewId, reasons }: Dropped): Promise<FindingOutcome> {
  return { kind: 'dropped', reasons, dropped: await countDropped(database, reviewId) };
}

/**
 * A peer's word for a finding, each peer's once: the first one makes it ready.
 * @throws Fault forbidden (its author; who does not take part), not_found
 */
export async function confirmFinding(
  deps: SpacesDeps,
  database: Database,
  { reviewId, id }: { reviewId: string; id: string },
  actor: Actor,
): Promise<Finding> {
  const { space } = await reviewWithSpace(database, reviewId);
  if (isService(actor)) throw new Fault('forbidden', 'A finding is confirmed by an agent or a person.');
  await requireParticipant(deps, space, actor, 'confirm findings of its review');
  const row = await changeRow(undefined, readerOf(database, reviewId, id), async (before) => {
    if (before.author === actor) {
      throw new Fault('forbidden', 'A finding is confirmed by a peer, never by its author.', {
        author: actor,
      });
    }
    return before.confirmedBy.includes(actor) || insertConfirmation(database, before, actor, deps.clock());
  });
  return named(row);
}

/**
 * A person holds a finding for dealt with or wrong; again changes nothing.
 * @throws Fault people_only, forbidden (viewers), not_found
 */
export async function resolveFinding(
  deps: SpacesDeps,
  database: Database,
  { reviewId, id }: { reviewId: string; id: string },
  reason: string,
  actor: Actor,
): Promise<Finding> {
  requirePerson(actor, 'resolve a finding');
  await requireOperator(deps.control, actor, 'resolve a finding');
  const row = await changeRow(
    undefined,
    readerOf(database, reviewId, id),
    async (before) =>
      before.resolved !== null || insertResolution(database, before, { by: actor, at: deps.clock(), reason }),
  );
  return named(row);
}

function readerOf(database: Database, reviewId: string, id: string): () => Promise<FindingRow> {
  return async () => found(await findFinding(database, reviewId, id), 'finding', id);
}

export function named({ priority, ...row }: FindingRow): Finding {
  return { ...row, priority: `P${priority}` };
}
