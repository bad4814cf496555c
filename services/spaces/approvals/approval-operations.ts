import { type Actor, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { findConversation } from '../conversations/store.ts';
import { found } from '../not-found.ts';
import { isAgent, isService, requireService } from '../permission.ts';
import { findSpace } from '../spaces/store.ts';
import { approvalDigest } from './digest.ts';
import type { Approval, Decision, NewApproval, NewDecision } from './schema.ts';
import { closeApproval, findApproval, insertApproval } from './store.ts';

/** @throws Fault forbidden (people; an agent for another), not_found for a space or conversation */
export async function requestApproval(
  database: Database,
  { key, ...input }: NewApproval,
  actor: Actor,
  nowMs: number,
): Promise<Approval> {
  const own = isAgent(actor) && input.requester === actor;
  if (!own && !isService(actor)) {
    throw new Fault('forbidden', 'An approval is asked for by an agent for itself, or by Control Center.', {
      faults: [{ path: 'requester', message: `is not ${actor}` }],
    });
  }
  if (input.spaceId) found(await findSpace(database, input.spaceId), 'space', input.spaceId);
  const { conversationId } = input;
  if (conversationId) found(await findConversation(database, conversationId), 'conversation', conversationId);
  const approval: Approval = {
    ...input,
    id: newId('apr'),
    digest: approvalDigest(input.kind, input.arguments),
    status: 'pending',
    decidedBy: null,
    decidedAt: null,
    decision: null,
    createdAt: nowMs,
  };
  return insertApproval(database, approval, key, actor);
}

/**
 * A person's decision, once.
 * @throws Fault people_only, not_found, already_decided (with the decision that stands), conflict for another digest
 */
export async function decideApproval(
  database: Database,
  id: string,
  input: NewDecision,
  actor: Actor,
  nowMs: number,
): Promise<Approval> {
  requirePerson(actor, 'decide an approval');
  const approval = found(await findApproval(database, id), 'approval', id);
  if (input.digest !== undefined && input.digest !== approval.digest) throw otherArguments(approval);
  const decision: Decision = {
    ...(input.reason !== undefined && { reason: input.reason }),
    ...(input.answer !== undefined && { answer: input.answer }),
  };
  const decided = { ...approval, status: input.decision, decidedBy: actor, decidedAt: nowMs, decision };
  if (await closeApproval(database, decided, actor, nowMs)) return decided;
  throw alreadyDecided(found(await findApproval(database, id), 'approval', id));
}

/**
 * Takes back what no run waits for any more; again is fine.
 * @throws Fault forbidden, not_found, already_decided
 */
export async function supersedeApproval(
  database: Database,
  id: string,
  actor: Actor,
  nowMs: number,
): Promise<Approval> {
  requireService(actor, 'take back an approval');
  const approval = found(await findApproval(database, id), 'approval', id);
  const superseded: Approval = { ...approval, status: 'superseded' };
  if (await closeApproval(database, superseded, actor, nowMs)) return superseded;
  const present = found(await findApproval(database, id), 'approval', id);
  if (present.status === 'superseded') return present;
  throw alreadyDecided(present);
}

function otherArguments(approval: Approval): Fault {
  return new Fault(
    'conflict',
    'This decision is about other arguments than the approval now has. Load it again and look at what it asks.',
    { faults: [{ path: 'digest', message: 'is not the present digest' }], digest: approval.digest },
  );
}

function alreadyDecided({ status, decidedBy, decidedAt }: Approval): Fault {
  const text =
    status === 'superseded'
      ? 'This request was taken back: nobody waits for it any more.'
      : `This was ${status} already by ${decidedBy}.`;
  return new Fault('already_decided', text, { status, decidedBy, decidedAt });
}
