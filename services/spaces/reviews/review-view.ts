import type { Database } from '../../kit/database/database.ts';
import type { Page } from '../fields.ts';
import { pageOf } from '../fields.ts';
import type { Axis } from './axes.ts';
import { axesOf } from './axis-operations.ts';
import { type Finding, named } from './finding-schema.ts';
import { countDropped, listFindings } from './finding-store.ts';
import { judge } from './judge.ts';
import { knownReview, snapshotOf } from './known-review.ts';
import { findPublication } from './publication-store.ts';
import type { Review, ReviewQuery, Snapshot } from './schema.ts';
import { listReviews } from './store.ts';
import type { Publication, Verdict } from './verdict-schema.ts';
import { findVerdict, verdictWords } from './verdict-store.ts';

/** A review whole: the pull request as it was last seen, and all that was said of it. */
export interface ReviewView extends Review, Pick<Snapshot, 'files' | 'filesComplete' | 'commits' | 'checks'> {
  findings: Finding[];
  /** How many were lost for want of a valid priority or confidence. */
  dropped: number;
  axes: Axis[];
  /** What a verdict would be now. */
  prospect: Pick<Verdict, 'verdict' | 'base' | 'confidence'>;
  /** The newest verdict, and its way to the provider. */
  verdict: Verdict | null;
  publication: Publication | null;
  /** The verdict is for another head than the present one. */
  stale: boolean;
}

/** @throws Fault not_found */
export async function reviewView(database: Database, id: string): Promise<ReviewView> {
  const review = await knownReview(database, id);
  const { headSha: _, ...snapshot } = await snapshotOf(database, review);
  const findings = await listFindings(database, id);
  const axes = await axesOf(database, review, snapshot);
  const { verdict: word, base, confidence } = judge(review.headSha, findings, axes);
  const verdict = await findVerdict(database, review.verdictId);
  return {
    ...review,
    ...snapshot,
    findings: findings.map(named),
    dropped: await countDropped(database, id),
    axes,
    prospect: { verdict: word, base, confidence },
    verdict,
    publication: verdict && (await findPublication(database, verdict.id)),
    stale: verdict !== null && verdict.headSha !== review.headSha,
  };
}

/** A review in a list: without the diff and what was said, with its verdict's word. */
export interface ReviewItem extends Review {
  verdict: Verdict['verdict'] | null;
  stale: boolean;
}

export async function reviewPage(database: Database, query: ReviewQuery): Promise<Page<ReviewItem>> {
  const { items, next } = pageOf(await listReviews(database, query), query.limit);
  const ids = items.flatMap(({ verdictId }) => verdictId ?? []);
  const words = await verdictWords(database, ids);
  const withVerdict = (review: Review): ReviewItem => {
    const word = words.get(review.verdictId ?? '');
    return {
      ...review,
      verdict: word?.verdict ?? null,
      stale: word !== undefined && word.headSha !== review.headSha,
    };
  };
  return { items: items.map(withVerdict), next };
}
