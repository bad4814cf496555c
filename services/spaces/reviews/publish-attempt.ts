import type { Database } from '../../kit/database/database.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { found } from '../not-found.ts';
import { listFindings } from './finding-store.ts';
import { knownReview, snapshotOf } from './known-review.ts';
import { markerOf, providerReview } from './provider-review.ts';
import { changePublication } from './publication-store.ts';
import type { NewProviderReview, ProviderReview } from './pull-request-host.ts';
import { refreshReview } from './refresh-review.ts';
import type { Review } from './schema.ts';
import { SELF } from './self.ts';
import type { Publication, Verdict } from './verdict-schema.ts';
import { findVerdict } from './verdict-store.ts';

/**
 * Brings a pending publication to the provider, once: what an earlier attempt left there is found by its marker. One whose
 * head is no longer the pull request's is stale, one with a newer verdict superseded.
 * @param settled resolves when what was sent at that time has arrived or never will
 * @throws Fault of the provider
 */
export async function attemptPublication(
  deps: SpacesDeps,
  database: Database,
  publication: Publication,
  settled: (sinceMs: number) => Promise<void>,
): Promise<void> {
  const verdict = found(await findVerdict(database, publication.verdictId), 'verdict', publication.verdictId);
  const review = await knownReview(database, publication.reviewId);
  const earlier = await earlierReview(deps, review, publication, settled);
  if (earlier) return recordPublished(deps, database, publication, earlier);
  const present = await refreshReview(deps, database, review.id, SELF);
  const end = endOf(present, verdict);
  if (end) {
    await changePublication(database, publication, end, SELF, deps.clock());
    return;
  }
  const nowMs = deps.clock();
  if (!(await changePublication(database, publication, { attemptedAt: nowMs }, SELF, nowMs))) return;
  deps.onPoint?.('publication.send:before');
  const made = await send(deps, database, present, verdict).catch(async (error: unknown) => {
    // Only an answer that never came leaves it open whether the provider took it.
    const isOpen = !(error instanceof Fault) || error.code === 'provider_unavailable';
    if (!isOpen) await changePublication(database, publication, { attemptedAt: null }, SELF, deps.clock());
    throw error;
  });
  deps.onPoint?.('publication.send:after');
  await recordPublished(deps, database, publication, made);
}

async function earlierReview(
  { pullRequests }: SpacesDeps,
  review: Review,
  { verdictId, attemptedAt }: Publication,
  settled: (sinceMs: number) => Promise<void>,
): Promise<ProviderReview | null> {
  const marker = markerOf(verdictId);
  const found = await pullRequests.findReview(review, marker);
  if (found || attemptedAt === null) return found;
  await settled(attemptedAt);
  return pullRequests.findReview(review, marker);
}

/** Why a verdict is no longer to be published, if it is not. */
export function endOf(
  { headSha, verdictId }: Review,
  verdict: Pick<Verdict, 'id' | 'headSha'>,
): Pick<Publication, 'state' | 'reason'> | null {
  if (verdict.headSha !== headSha) {
    const reason = `The pull request's head is ${headSha} now; this verdict is for ${verdict.headSha}.`;
    return { state: 'stale', reason };
  }
  if (verdict.id === verdictId) return null;
  return { state: 'superseded', reason: 'A newer verdict took its place.' };
}

async function recordPublished(
  deps: SpacesDeps,
  database: Database,
  publication: Publication,
  { id, url }: ProviderReview,
): Promise<void> {
  const change = { state: 'published' as const, providerId: id, providerUrl: url, fault: null };
  await changePublication(database, publication, change, publication.requestedBy, deps.clock());
}

const OWN_PULL_REQUEST = /your own pull request/i;

/** A refusal leaves nothing behind, so the review is sent again in a form that the provider takes. */
async function send(
  { pullRequests }: SpacesDeps,
  database: Database,
  review: Review,
  verdict: Verdict,
): Promise<ProviderReview> {
  const rows = await listFindings(database, review.id);
  const { files } = await snapshotOf(database, review);
  let next: NewProviderReview = providerReview(verdict, rows, files);
  for (;;) {
    try {
      return await pullRequests.createReview(review, next);
    } catch (error) {
      const softer = softened(error, next, () => providerReview(verdict, rows, []));
      if (softer === null) throw error;
      next = softer;
    }
  }
}

/** Nobody may ask for changes of a pull request of their own; and lines that stand in no diff go into the body. */
function softened(
  error: unknown,
  review: NewProviderReview,
  plain: () => NewProviderReview,
): NewProviderReview | null {
  if (!hasFaultCode(error, 'provider_refused')) return null;
  if (review.event !== 'COMMENT' && OWN_PULL_REQUEST.test((error as Fault).message)) {
    return { ...review, event: 'COMMENT' };
  }
  if (review.comments.length === 0) return null;
  return { ...plain(), event: review.event };
}
