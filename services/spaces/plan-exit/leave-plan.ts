import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { approvalDigest } from '../approvals/digest.ts';
import type { Approval, ApprovalArguments } from '../approvals/schema.ts';
import { findConversation } from '../conversations/store.ts';
import { found } from '../not-found.ts';
import { isAgent } from '../permission.ts';
import { findSpace } from '../spaces/store.ts';
import type { NewPlanExit, PlanExit } from './schema.ts';
import { leaveOrOpen, viewGate } from './store.ts';

/**
 * An agent asks to leave plan mode: the first call opens the gate, every further one finds it, and one after a person's
 * yes goes through it. A call that is repeated after its answer was lost is told again that it left.
 * @throws Fault forbidden (whoever is no agent), not_found, invalid_request for a conversation of another space
 */
export async function leavePlan(
  database: Database,
  spaceId: string,
  input: NewPlanExit,
  actor: Actor,
  nowMs: number,
): Promise<PlanExit> {
  if (!isAgent(actor))
    throw new Fault('forbidden', 'An agent asks to leave plan mode; a person just sets the mode.');
  found(await findSpace(database, spaceId), 'space', spaceId);
  await checkConversation(database, spaceId, input.conversationId);
  const gate = gateOf(spaceId, input, actor, nowMs);
  const hasLeft = await leaveOrOpen(database, gate, `${input.runId}/${gate.id}`, actor);
  const view = found(await viewGate(database, spaceId), 'space', spaceId);
  const { approvalId, mode, consumedBy } = view;
  const didLeave = mode !== 'plan' && consumedBy?.startsWith(`${input.runId}/`) === true;
  if (hasLeft || didLeave) return { state: 'left', approvalId, reason: null };
  if (mode !== 'plan') return { state: 'notInPlan', approvalId: null, reason: null };
  return { state: 'pending', approvalId, reason: view.reason };
}

function gateOf(
  spaceId: string,
  { runId, rootRunId, conversationId, summary }: NewPlanExit,
  requester: Actor,
  createdAt: number,
): Approval {
  const args = { spaceId, summary } satisfies ApprovalArguments['plan_exit'];
  return {
    ...{ id: newId('apr'), kind: 'plan_exit', requester, subject: 'Leave plan mode', arguments: args },
    ...{ digest: approvalDigest('plan_exit', args), status: 'pending' },
    ...{ decidedBy: null, decidedAt: null, decision: null, grant: null },
    ...{ runId, rootRunId, spaceId, conversationId, createdAt },
  };
}

async function checkConversation(database: Database, spaceId: string, id: string): Promise<void> {
  const conversation = found(await findConversation(database, id), 'conversation', id);
  if (conversation.spaceId === spaceId) return;
  throw new Fault(
    'invalid_request',
    'The conversation must be one of the space that is to leave plan mode.',
    {
      faults: [{ path: 'conversationId', message: `is in space ${conversation.spaceId}` }],
    },
  );
}
