import type { EffectClass } from '../../../core-wasm/core.ts';
import type { Database } from '../../kit/database/database.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import { requestApproval, supersedeApproval } from '../approvals/approval-operations.ts';
import { type Approval, type ApprovalArguments, NewApproval } from '../approvals/schema.ts';
import { findApproval } from '../approvals/store.ts';
import type { SpacesDeps } from '../deps.ts';
import { found } from '../not-found.ts';
import { findSpace } from '../spaces/store.ts';
import { knownReview } from './known-review.ts';
import { changePublication } from './publication-store.ts';
import { endOf } from './publish-attempt.ts';
import type { Review } from './schema.ts';
import { SELF } from './self.ts';
import type { Publication, Verdict } from './verdict-schema.ts';
import { findVerdict } from './verdict-store.ts';

/**
 * Takes a publication that waits for a person as far as it goes: asks, once; goes on with what was decided; takes the
 * question back when the head moved on or a newer verdict took its place. Doing it again changes nothing.
 */
export async function pursueAsked(
  deps: SpacesDeps,
  database: Database,
  publication: Publication,
): Promise<void> {
  const review = await knownReview(database, publication.reviewId);
  const { verdictId, headSha, approvalId } = publication;
  const end = endOf(review, { id: verdictId, headSha });
  if (end) {
    await withdrawApproval(deps, database, publication);
    await changePublication(database, publication, end, SELF, deps.clock());
    return;
  }
  const approval = approvalId === null ? await ask(deps, database, review, publication) : null;
  await follow(deps, database, publication, approval ?? (await approvalOf(database, String(approvalId))));
}

async function approvalOf(database: Database, id: string): Promise<Approval> {
  return found(await findApproval(database, id), 'approval', id);
}

async function ask(
  deps: SpacesDeps,
  database: Database,
  review: Review,
  publication: Publication,
): Promise<Approval> {
  const { verdictId } = publication;
  const verdict = found(await findVerdict(database, verdictId), 'verdict', verdictId);
  const space = found(await findSpace(database, review.spaceId), 'space', review.spaceId);
  const request = NewApproval.parse({
    kind: 'action',
    requester: publication.requestedBy,
    subject: subjectOf(review, verdict),
    arguments: argumentsOf(verdict),
    spaceId: space.id,
    conversationId: space.mainConversationId,
    whenNobody: 'wait',
    key: `review/${verdictId}/publish`,
  });
  // It always waits, so nobody has to be there.
  const approval = await requestApproval(database, request, () => true, SELF, deps.clock());
  await changePublication(database, publication, { approvalId: approval.id }, SELF, deps.clock());
  return approval;
}

function subjectOf({ repository, number }: Review, { verdict, findings }: Verdict): string {
  const count = `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;
  return `Publish the review of ${repository}#${number} to the pull request: ${verdict}, ${count}`;
}

function argumentsOf({ reviewId, headSha, verdict, findings }: Verdict): ApprovalArguments['action'] {
  const asked: EffectClass[] = ['pr_publish'];
  return { tool: 'publish_review', reviewId, headSha, verdict, findings: findings.length, asked };
}

async function follow(
  deps: SpacesDeps,
  database: Database,
  publication: Publication,
  { status, decidedBy, decision }: Approval,
): Promise<void> {
  const change = (fields: Parameters<typeof changePublication>[2]) =>
    changePublication(database, publication, fields, SELF, deps.clock());
  if (status === 'approved') {
    const requestedBy = decidedBy ?? publication.requestedBy;
    await change({ state: 'pending', reason: `Approved by ${decidedBy}.`, requestedBy });
  } else if (status === 'refused') {
    await change({ state: 'refused', reason: decision?.reason ?? `Refused by ${decidedBy}.` });
  } else if (status === 'superseded') {
    await change({ state: 'superseded', reason: 'The request was taken back.' });
  }
}

/** Takes the question back, if there is one that nobody has answered. */
export async function withdrawApproval(
  deps: SpacesDeps,
  database: Database,
  { approvalId }: Publication,
): Promise<void> {
  if (approvalId === null) return;
  try {
    await supersedeApproval(database, approvalId, SELF, deps.clock());
  } catch (error) {
    // A person was faster; what becomes of the publication is decided here all the same.
    if (!hasFaultCode(error, 'already_decided')) throw error;
  }
}
