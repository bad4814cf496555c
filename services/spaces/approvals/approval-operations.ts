import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { findConversation } from '../conversations/store.ts';
import { found } from '../not-found.ts';
import { isAgent, isService, requireService } from '../permission.ts';
import { findSpace } from '../spaces/store.ts';
import { decide, denyingRule } from './deciding.ts';
import { approvalDigest } from './digest.ts';
import { openApproval } from './opening-store.ts';
import type { Approval, NewApproval, NewDecision, RunSupersession } from './schema.ts';
import { findApproval, supersede, supersedeOfRun } from './store.ts';
import { verdictOf } from './verdict.ts';

/**
 * @param isAttended whether somebody who may decide is connected
 * @throws Fault forbidden (people; an agent for another), not_found for a space or conversation, conflict when the key
 * was used for other arguments
 */
export async function requestApproval(
  database: Database,
  { key, whenNobody, ...input }: NewApproval,
  isAttended: () => boolean,
  actor: Actor,
  nowMs: number,
): Promise<Approval> {
  checkRequester(input, actor);
  const digest = approvalDigest(input.kind, input.arguments);
  if (input.spaceId) found(await findSpace(database, input.spaceId), 'space', input.spaceId);
  const { conversationId } = input;
  if (conversationId) found(await findConversation(database, conversationId), 'conversation', conversationId);
  const isRefused = input.kind === 'action' && whenNobody === 'refuse' && !isAttended();
  const fresh: Approval = {
    ...input,
    id: newId('apr'),
    digest,
    status: isRefused ? 'unattended' : 'pending',
    ...{ decidedBy: null, decidedAt: null, decision: null, grant: null },
    createdAt: nowMs,
  };
  return sameRequest(await openApproval(database, fresh, key, actor), input, digest);
}

function checkRequester({ kind, requester }: Pick<NewApproval, 'kind' | 'requester'>, actor: Actor): void {
  if (!(isAgent(actor) && requester === actor) && !isService(actor)) {
    throw new Fault('forbidden', 'An approval is asked for by an agent for itself, or by Control Center.', {
      faults: [{ path: 'requester', message: `is not ${actor}` }],
    });
  }
  if (kind !== 'plan_exit') return;
  throw new Fault('invalid_request', 'Ask to leave plan mode at the space: POST …/spaces/:id/plan-exit.', {
    faults: [{ path: 'kind', message: 'is opened by its space alone' }],
  });
}

/** A key stands for one request; with other arguments it is another one, which nobody has allowed. */
function sameRequest(row: Approval, { requester }: Pick<NewApproval, 'requester'>, digest: string): Approval {
  if (row.digest === digest && row.requester === requester) return row;
  throw new Fault(
    'conflict',
    'This key was used for another request. Ask under a new key when kind, arguments or requester differ.',
    { faults: [{ path: 'key', message: 'belongs to another request' }], approvalId: row.id },
  );
}

/**
 * A person's decision, once. Whether the person may decide is the caller's to check.
 * @throws Fault not_found, invalid_request (unfit for the kind), already_decided (with the decision that stands),
 * conflict for another digest, or for a rule over one that denies
 */
export async function decideApproval(
  database: Database,
  id: string,
  input: NewDecision,
  actor: Actor,
  nowMs: number,
): Promise<Approval> {
  const approval = found(await findApproval(database, id), 'approval', id);
  if (input.digest !== undefined && input.digest !== approval.digest) throw otherArguments(approval);
  const verdict = verdictOf(approval, input);
  const hasWon = await decide(database, approval, verdict, actor, nowMs);
  const present = found(await findApproval(database, id), 'approval', id);
  if (hasWon) return present;
  if (!isOpen(present) || !verdict.rules) throw alreadyDecided(present);
  const rule = await denyingRule(database, present, verdict.rules.effects);
  throw denied(rule);
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
  found(await findApproval(database, id), 'approval', id);
  await supersede(database, id, actor, nowMs);
  const present = found(await findApproval(database, id), 'approval', id);
  if (present.status === 'superseded') return present;
  throw alreadyDecided(present);
}

/** @throws Fault forbidden */
export async function supersedeRunApprovals(
  database: Database,
  input: RunSupersession,
  actor: Actor,
  nowMs: number,
): Promise<{ superseded: string[] }> {
  requireService(actor, 'take back what a run asked');
  return { superseded: await supersedeOfRun(database, input, actor, nowMs) };
}

function isOpen({ status }: Approval): boolean {
  return status === 'pending' || status === 'unattended';
}

function otherArguments(approval: Approval): Fault {
  return new Fault(
    'conflict',
    'This decision is about other arguments than the approval now has. Load it again and look at what it asks.',
    { faults: [{ path: 'digest', message: 'is not the present digest' }], digest: approval.digest },
  );
}

function denied(rule: Awaited<ReturnType<typeof denyingRule>>): Fault {
  const named = rule
    ? `The rule ${rule.id} of the ${rule.scope} denies ${rule.effect}.`
    : 'A rule denied it.';
  return new Fault(
    'conflict',
    `${named} Nothing was decided: remove that rule first, or approve this call alone.`,
    { faults: [{ path: 'grant', message: 'would allow what a rule denies' }], rule },
  );
}

function alreadyDecided({ status, decidedBy, decidedAt, decision }: Approval): Fault {
  const verb = decision?.changesRequested ? 'sent back for changes' : status;
  const text =
    status === 'superseded'
      ? 'This request was taken back: nobody waits for it any more.'
      : `This was ${verb} already.`;
  return new Fault('already_decided', text, { status, decidedBy, decidedAt });
}
