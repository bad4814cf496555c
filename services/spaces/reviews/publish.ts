import { type Actor, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import { withdrawApproval } from './asked-publication.ts';
import { knownReview, requireHead } from './known-review.ts';
import { findPublication, requestPublication } from './publication-store.ts';
import type { Publisher } from './publisher.ts';
import type { Publication, PublicationWish } from './verdict-schema.ts';

/**
 * Publishes the newest verdict to the provider because a person says so, once. One that cannot be reached is tried again in
 * the background: the publication is `pending` then and holds the fault.
 * @throws Fault people_only, forbidden (viewers), not_found, wrong_status without a verdict, stale_revision when the head
 * moved on, and of the provider when only a person can mend it
 */
export async function publishReview(
  deps: SpacesDeps,
  publisher: Publisher,
  { workspaceId, reviewId }: { workspaceId: string; reviewId: string },
  { headSha }: PublicationWish,
  actor: Actor,
): Promise<Publication> {
  requirePerson(actor, 'publish a review by their own choice');
  await requireOperator(deps.control, actor, 'publish a review');
  const database = await deps.databases.open(workspaceId);
  const review = await knownReview(database, reviewId);
  requireHead(review, headSha);
  const { verdictId } = review;
  if (verdictId === null)
    throw new Fault('wrong_status', 'There is no verdict to publish yet. Finalize the review first.');
  const read = async () =>
    found(await findPublication(database, verdictId), 'publication of verdict', verdictId);
  const before = await read();
  if (before.state === 'published') return before;
  await withdrawApproval(deps, database, before);
  await requestPublication(database, before, actor, deps.clock());
  await publisher.attempt(workspaceId, verdictId);
  return delivered(await read());
}

function delivered(publication: Publication): Publication {
  const { state, reason, fault } = publication;
  if (state === 'stale' || state === 'superseded') {
    throw new Fault('stale_revision', `Not published: ${reason} Finalize the review again.`, { state });
  }
  if (state === 'failed' && fault) throw new Fault(fault.code, fault.message, { state });
  return publication;
}
