import { type Actor, isPerson, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { refuseAgents } from '../permission.ts';
import { type Axis, type AxisList, axesAt } from './axes.ts';
import type { NewAxisResults } from './axis-schema.ts';
import { axisList, listAxisResults, saveAxisList, saveAxisResults } from './axis-store.ts';
import { knownReview, requireHead } from './known-review.ts';
import type { Review, Snapshot } from './schema.ts';

/** @throws Fault people_only, forbidden (viewers) */
export async function setAxisList(
  deps: SpacesDeps,
  database: Database,
  axes: AxisList,
  actor: Actor,
): Promise<AxisList> {
  requirePerson(actor, 'choose the axes of reviews');
  await requireOperator(deps.control, actor, 'choose the axes of reviews');
  await saveAxisList(database, axes, actor, deps.clock());
  return axisList(database);
}

/**
 * Results for the present head; an agent's opinion is a finding, not an axis.
 * @throws Fault forbidden (agents, viewers), not_found, stale_revision, invalid_request for an axis that the workspace has not
 */
export async function giveAxisResults(
  deps: SpacesDeps,
  database: Database,
  reviewId: string,
  { headSha, results }: NewAxisResults,
  actor: Actor,
): Promise<void> {
  refuseAgents(actor, 'give the result of an axis');
  if (isPerson(actor)) await requireOperator(deps.control, actor, 'give the result of an axis');
  const review = await knownReview(database, reviewId);
  requireHead(review, headSha);
  checkKnown(await axisList(database), results);
  const common = { reviewId, headSha: review.headSha, givenBy: actor, givenAt: deps.clock() };
  await saveAxisResults(
    database,
    results.map((result) => ({ ...result, ...common })),
  );
}

function checkKnown(list: AxisList, results: NewAxisResults['results']): void {
  const known = list.map(({ axis }) => axis);
  const faults = results.flatMap(({ axis }, i) =>
    known.includes(axis)
      ? []
      : [{ path: `results[${i}].axis`, message: `${axis} is no axis of this workspace` }],
  );
  if (faults.length === 0) return;
  throw new Fault(
    'invalid_request',
    `The axes of this workspace are ${known.join(', ') || 'none'}. Add others with PUT …/reviews/axes.`,
    { faults },
  );
}

/** What is known on each axis at the review's head. */
export async function axesOf(
  database: Database,
  review: Review,
  { checks }: Pick<Snapshot, 'checks'>,
): Promise<Axis[]> {
  const [list, given] = [await axisList(database), await listAxisResults(database, review.id)];
  return axesAt(review.headSha, list, given, checks);
}
