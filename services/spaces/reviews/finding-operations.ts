import { type Actor, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { changeRow } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import { isService } from '../permission.ts';
import { type Confirmation, type Finding, type FindingRow, named } from './finding-schema.ts';
import { findFinding, insertConfirmation, insertResolution } from './finding-store.ts';
import { reviewWithSpace } from './known-review.ts';
import { requireParticipant } from './participant.ts';

/**
 * A peer's word for a finding, each peer's once: the first one makes it ready. What a sub-agent says counts as said by those
 * above it, so that nobody has a finding confirmed, or made, by a run of their own.
 * @throws Fault forbidden (its author; who does not take part), not_found
 */
export async function confirmFinding(
  deps: SpacesDeps,
  database: Database,
  { reviewId, id }: { reviewId: string; id: string },
  { onBehalfOf }: Confirmation,
  actor: Actor,
): Promise<Finding> {
  const { space } = await reviewWithSpace(database, reviewId);
  if (isService(actor)) throw new Fault('forbidden', 'A finding is confirmed by an agent or a person.');
  await requireParticipant(deps, space, actor, 'confirm findings of its review');
  const row = await changeRow(undefined, readerOf(database, reviewId, id), async (before) => {
    if (isOwn(before, actor, onBehalfOf)) {
      throw new Fault(
        'forbidden',
        'A finding is confirmed by a peer, never by its author, nor through a sub-agent.',
        {
          author: before.author,
        },
      );
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

function isOwn({ author, onBehalfOf }: FindingRow, actor: Actor, above: readonly Actor[]): boolean {
  return [actor, ...above].includes(author) || onBehalfOf.includes(actor);
}

function readerOf(database: Database, reviewId: string, id: string): () => Promise<FindingRow> {
  return async () => found(await findFinding(database, reviewId, id), 'finding', id);
}
