import type { Actor } from '../../kit/actor.ts';
import { isPerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import { refuseAgents } from '../permission.ts';
import { NewSpace } from '../spaces/schema.ts';
import { createSpace } from '../spaces/space-operations.ts';
import { type Fetched, fetchPull } from './fetch-pull.ts';
import type { PullFacts } from './pull-request-host.ts';
import type { PullRef } from './pull-url.ts';
import { parsePullUrl } from './pull-url.ts';
import { refreshReview } from './refresh-review.ts';
import type { NewReview, Review } from './schema.ts';
import { SELF } from './self.ts';
import { findReviewByKey, findReviewOf, insertReview } from './store.ts';

const LONGEST_NAME = 200;

/**
 * Opens a pull request for review, once: its space is in review mode, and what is to be looked at is at hand. One that is
 * known is looked at again instead.
 * @throws Fault forbidden (agents, viewers), invalid_request for the address, not_found (agents), not_a_repository, and of
 * the provider
 */
export async function openReview(
  deps: SpacesDeps,
  workspaceId: string,
  input: NewReview,
  actor: Actor,
): Promise<Review> {
  refuseAgents(actor, 'open a pull request for review');
  if (isPerson(actor)) await requireOperator(deps.control, actor, 'open a pull request for review');
  const database = await deps.databases.open(workspaceId);
  const known = input.key === undefined ? null : await findReviewByKey(database, input.key);
  if (known) return known;
  const ref = parsePullUrl(input.url, deps.pullRequests.webHost);
  return openOrRefresh(deps, workspaceId, ref, input, actor);
}

/**
 * Open pull requests of a repository. The provider's token may see more than everybody here should.
 * @throws Fault forbidden (agents, viewers), and of the provider
 */
export async function candidates(deps: SpacesDeps, repository: string, actor: Actor): Promise<PullFacts[]> {
  refuseAgents(actor, "list a provider's pull requests");
  if (isPerson(actor)) await requireOperator(deps.control, actor, "list a provider's pull requests");
  return deps.pullRequests.openPulls(repository);
}

/** As `openReview`, of a pull request that is named already. */
export async function openOrRefresh(
  deps: SpacesDeps,
  workspaceId: string,
  ref: PullRef,
  input: Pick<NewReview, 'agents' | 'repositories' | 'key'>,
  actor: Actor,
): Promise<Review> {
  const database = await deps.databases.open(workspaceId);
  const known = await findReviewOf(database, ref);
  if (known) return refreshReview(deps, database, known.id, actor);
  const fetched = await fetchPull(deps.pullRequests, ref);
  // Its name may be another than the one asked for: repositories are renamed.
  const renamed = await findReviewOf(database, fetched.facts);
  if (renamed) return refreshReview(deps, database, renamed.id, actor);
  const { facts } = fetched;
  const space = await createSpace(deps, workspaceId, roomOf(facts, input), SELF);
  return insertFetched(deps, database, fetched, { spaceId: space.id, key: input.key ?? null }, actor);
}

function roomOf(
  facts: PullFacts,
  { agents, repositories }: Pick<NewReview, 'agents' | 'repositories'>,
): NewSpace {
  const { repository, number, title } = facts;
  const name = `${repository}#${number} ${title}`.replace(/[\s\p{Cc}]+/gu, ' ');
  return NewSpace.parse({
    name: [...name].slice(0, LONGEST_NAME).join(''),
    mode: 'review',
    ...{ agents, repositories },
    key: `review/${repository.toLowerCase()}#${number}`,
  });
}

async function insertFetched(
  deps: SpacesDeps,
  database: Database,
  { facts, fields, snapshot }: Fetched,
  { spaceId, key }: { spaceId: string; key: string | null },
  actor: Actor,
): Promise<Review> {
  const { repository, number } = facts;
  const nowMs = deps.clock();
  const review: Review = {
    ...{ id: newId('rev'), repository, number, spaceId, ...fields },
    ...{ verdictId: null, openedBy: actor, createdAt: nowMs, updatedAt: nowMs, version: 1 },
  };
  await insertReview(database, review, snapshot, key);
  return found(await findReviewOf(database, facts), 'review', review.id);
}
