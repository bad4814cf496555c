import { capabilityProfile, decideEffects, type PolicyDecision } from '../../../core-wasm/core.ts';
import { type Actor, actorId } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { newId } from '../../kit/id.ts';
import { changeRow } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { guardrailsOf } from '../guardrails/effective.ts';
import { found } from '../not-found.ts';
import { isAgent } from '../permission.ts';
import type { Space } from '../spaces/schema.ts';
import { axesOf } from './axis-operations.ts';
import { countDropped, listFindings } from './finding-store.ts';
import { type Judgement, judge } from './judge.ts';
import { knownReview, requireHead, reviewWithSpace, snapshotOf } from './known-review.ts';
import { requireParticipant } from './participant.ts';
import { findPublication } from './publication-store.ts';
import { refreshReview } from './refresh-review.ts';
import type { Review } from './schema.ts';
import { verdictMessage } from './verdict-message.ts';
import type { Finalization, Publication, Verdict } from './verdict-schema.ts';
import { type Finalized, findVerdict, insertVerdict } from './verdict-store.ts';

export interface FinalizeOutcome {
  verdict: Verdict;
  publication: Publication;
  /** Nothing was written: this head with these findings and axes has its verdict already. */
  repeated: boolean;
}

/**
 * Judges the pull request's present head and publishes verdict and findings to the space; whether they go to the provider
 * is decided in the same commit.
 * @throws Fault forbidden, not_found, stale_revision when the head has moved on since the caller looked, and of the provider
 */
export async function finalizeReview(
  deps: SpacesDeps,
  database: Database,
  reviewId: string,
  input: Finalization,
  actor: Actor,
): Promise<FinalizeOutcome> {
  const { review: known, space } = await reviewWithSpace(database, reviewId);
  await requireParticipant(deps, space, actor, 'finalize its review');
  const seen = input.headSha ?? known.headSha;
  requireHead(await refreshReview(deps, database, reviewId, actor), seen);
  let repeated = true;
  const read = () => knownReview(database, reviewId);
  const review = await changeRow(undefined, read, async (before) => {
    requireHead(before, seen);
    const judgement = await judgementOf(database, before);
    const latest = await findVerdict(database, before.verdictId);
    repeated = latest?.headSha === before.headSha && latest.digest === judgement.digest;
    if (repeated) return true;
    const dropped = await countDropped(database, reviewId);
    const decision = await publishDecision(database, space, actor);
    const basis = { judgement, dropped, decision, input };
    return insertVerdict(database, before, finalizedOf(before, space, basis, actor, deps.clock()));
  });
  return { ...(await outcomeOf(database, review)), repeated };
}

async function outcomeOf(database: Database, { verdictId }: Review) {
  const verdict = found(await findVerdict(database, verdictId), 'verdict', String(verdictId));
  const publication = await findPublication(database, verdict.id);
  return { verdict, publication: found(publication, 'publication of verdict', verdict.id) };
}

async function judgementOf(database: Database, review: Review): Promise<Judgement> {
  const snapshot = await snapshotOf(database, review);
  const axes = await axesOf(database, review, snapshot);
  return judge(review.headSha, await listFindings(database, review.id), axes);
}

/**
 * It is Control Center itself that publishes, after the run's call and outside its mode: the rules and the autonomy of the
 * space decide, with the profile that adds nothing of its own.
 */
async function publishDecision(database: Database, { id }: Space, actor: Actor): Promise<PolicyDecision> {
  const agentId = isAgent(actor) ? actorId(actor) : undefined;
  const { rules, autonomy } = await guardrailsOf(database, { agentId, spaceId: id });
  const profiles = [capabilityProfile('chat')];
  return decideEffects({ profiles, tier: 'write', effects: ['pr_publish'], rules, autonomy });
}

interface Basis {
  judgement: Judgement;
  dropped: number;
  decision: PolicyDecision;
  input: Finalization;
}

const STATES = { allow: 'pending', ask: 'asked', deny: 'denied' } as const;

function finalizedOf(
  review: Review,
  space: Space,
  { judgement, dropped, decision, input }: Basis,
  actor: Actor,
  nowMs: number,
): Finalized {
  const { findings: rows, ...judged } = judgement;
  const ids = { verdict: newId('vrd'), message: newId('msg') };
  const verdict: Verdict = {
    ...{ id: ids.verdict, reviewId: review.id, headSha: review.headSha, ...judged, dropped },
    findings: rows.map(({ id, place }) => ({ id, place })),
    ...{ summary: input.summary, messageId: ids.message, finalizedBy: actor, createdAt: nowMs },
  };
  const publication: Publication = {
    ...{ id: newId('pub'), reviewId: review.id, verdictId: ids.verdict, headSha: review.headSha },
    ...{ state: STATES[decision.decision], reason: decision.reason, requestedBy: actor },
    ...{ approvalId: null, attemptedAt: null, fault: null, providerId: null, providerUrl: null },
    ...{ createdAt: nowMs, updatedAt: nowMs },
  };
  return {
    verdict,
    decision,
    publication,
    message: verdictMessage(review, space, { verdict, publication, judgement }),
  };
}
