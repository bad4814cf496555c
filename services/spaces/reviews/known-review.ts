import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { found } from '../not-found.ts';
import type { Space } from '../spaces/schema.ts';
import { findSpace } from '../spaces/store.ts';
import type { Review, Snapshot } from './schema.ts';
import { findReview, findSnapshot } from './store.ts';

/** @throws Fault not_found */
export async function knownReview(database: Database, id: string): Promise<Review> {
  return found(await findReview(database, id), 'review', id);
}

/** @throws Fault not_found */
export async function reviewWithSpace(
  database: Database,
  id: string,
): Promise<{ review: Review; space: Space }> {
  const review = await knownReview(database, id);
  return { review, space: found(await findSpace(database, review.spaceId), 'space', review.spaceId) };
}

export async function snapshotOf(database: Database, { id }: Review): Promise<Snapshot> {
  return found(await findSnapshot(database, id), 'snapshot of review', id);
}

/**
 * Whoever names a commit speaks of the present head or is late.
 * @throws Fault stale_revision
 */
export function requireHead({ headSha, url }: Review, named: string | undefined): void {
  if (named === undefined || headSha.startsWith(named)) return;
  throw new Fault(
    'stale_revision',
    `The head of ${url} is ${headSha}, no longer ${named}. Read the review again and repeat this for what is there now.`,
    { headSha, given: named },
  );
}
