import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { canonicalJson } from '../canonical-json.ts';
import { changeRow } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { nextPlace, type Place } from './anchor.ts';
import { fetchChange } from './fetch-pull.ts';
import { fileMoves, type HeadChange } from './file-moves.ts';
import { listFindings } from './finding-store.ts';
import { knownReview, reviewWithSpace, snapshotOf } from './known-review.ts';
import { requireParticipant } from './participant.ts';
import type { PullRequestHost } from './pull-request-host.ts';
import type { Review, Snapshot } from './schema.ts';
import { type PullFields, type Refreshed, updatePull } from './store.ts';

/**
 * Takes the pull request as the provider has it now. At a new head every anchor goes with its lines, or is outdated.
 * @returns the review afterwards; nothing is written when nothing changed
 * @throws Fault not_found, and of the provider
 */
export function refreshReview(
  deps: SpacesDeps,
  database: Database,
  id: string,
  actor: Actor,
): Promise<Review> {
  return changeRow(
    undefined,
    () => knownReview(database, id),
    async (review) => {
      const before = await snapshotOf(database, review);
      const { fields, snapshot } = await fetchChange(deps.pullRequests, review, before);
      if (isSame(review, before, fields, snapshot)) return true;
      const places = await placesAt(deps.pullRequests, database, review, { before, fields, snapshot });
      return updatePull(database, review, { fields, snapshot, places }, actor, deps.clock());
    },
  );
}

/** As `refreshReview`, because someone asks for it. @throws Fault forbidden (who does not take part) */
export async function refreshByHand(
  deps: SpacesDeps,
  database: Database,
  id: string,
  actor: Actor,
): Promise<void> {
  const { space } = await reviewWithSpace(database, id);
  await requireParticipant(deps, space, actor, 'refresh its review');
  await refreshReview(deps, database, id, actor);
}

function isSame(review: Review, before: Snapshot, fields: PullFields, snapshot: Snapshot): boolean {
  const present = review as Record<string, unknown>;
  const isSameFields = Object.entries(fields).every(([name, value]) => present[name] === value);
  return isSameFields && canonicalJson(before) === canonicalJson(snapshot);
}

async function placesAt(
  host: PullRequestHost,
  database: Database,
  review: Review,
  { before, fields, snapshot }: Omit<Refreshed, 'places'> & { before: Snapshot },
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const from = { headSha: review.headSha, mergeBaseSha: review.mergeBaseSha, files: before.files };
  const { headSha, mergeBaseSha } = fields;
  if (headSha === from.headSha && mergeBaseSha === from.mergeBaseSha) return places;
  const to = { headSha, mergeBaseSha, files: snapshot.files };
  const moveOf = fileMoves(host, { repository: review.repository, from, to } satisfies HeadChange);
  for (const { id, anchor, place } of await listFindings(database, review.id)) {
    if (anchor === null || place === null) continue;
    const move = place.state === 'outdated' ? 'gone' : await moveOf(place);
    places.set(id, nextPlace(place, anchor, move, headSha));
  }
  return places;
}
