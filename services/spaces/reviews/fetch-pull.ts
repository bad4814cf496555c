import { Fault } from '../../kit/fault.ts';
import type { PullFacts, PullRequestHost } from './pull-request-host.ts';
import type { PullRef } from './pull-url.ts';
import type { Review, Snapshot } from './schema.ts';
import type { PullFields } from './store.ts';

export interface Fetched {
  facts: PullFacts;
  fields: PullFields;
  snapshot: Snapshot;
}

/** A pull request that is pushed to while it is read is read again, this often. */
const ATTEMPTS = 4;

/**
 * The pull request with its diff, commits and checks, all of one head.
 * @throws Fault of the provider; provider_unavailable when it is pushed to faster than it can be read
 */
export async function fetchPull(host: PullRequestHost, ref: PullRef): Promise<Fetched> {
  let facts = await host.pull(ref);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const fetched = await fetchAt(host, ref, facts);
    const after = await host.pull(ref);
    if (isSameDiff(facts, after)) return fetched;
    facts = after;
  }
  throw new Fault('provider_unavailable', `${facts.url} changes while it is read. Try again in a moment.`);
}

async function fetchAt(host: PullRequestHost, ref: PullRef, facts: PullFacts): Promise<Fetched> {
  const { baseSha, headSha } = facts;
  const [{ files, filesComplete }, commits, checks, mergeBaseSha] = await Promise.all([
    host.files(ref),
    host.commits(ref),
    host.checks(ref.repository, headSha),
    host.mergeBase(ref.repository, baseSha, headSha),
  ]);
  return {
    facts,
    fields: fieldsOf(facts, mergeBaseSha),
    snapshot: { headSha, files, filesComplete, commits, checks },
  };
}

/** As `fetchPull`, but of what is known already only the facts and the checks are asked for. */
export async function fetchChange(
  host: PullRequestHost,
  review: Review,
  snapshot: Snapshot,
): Promise<Omit<Fetched, 'facts'>> {
  const facts = await host.pull(review);
  if (!isSameDiff(facts, review)) return fetchPull(host, review);
  const checks = await host.checks(review.repository, facts.headSha);
  return { fields: fieldsOf(facts, review.mergeBaseSha), snapshot: { ...snapshot, checks } };
}

type Diff = Pick<PullFacts, 'baseRef' | 'baseSha' | 'headSha'>;

function isSameDiff(one: Diff, other: Diff): boolean {
  return one.headSha === other.headSha && one.baseSha === other.baseSha && one.baseRef === other.baseRef;
}

function fieldsOf(facts: PullFacts, mergeBaseSha: string): PullFields {
  const { url, title, description, author, state, draft, baseRef, baseSha, headRef, headSha } = facts;
  return {
    ...{ url, title, description, author, state, draft },
    ...{ baseRef, baseSha, mergeBaseSha, headRef, headSha },
  };
}
