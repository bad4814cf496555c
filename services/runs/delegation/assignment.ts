import * as z from 'zod';
import { capabilityProfile } from '../../../core-wasm/core.ts';
import { isPerson } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { surfaceOf } from '../dispatch/surface.ts';
import type { DelegationFacts, WholeTicket } from '../peers/spaces-port.ts';
import { namesOf } from '../prompt/names.ts';
import { createRun } from '../runs/create-run.ts';
import { findRow } from '../runs/store.ts';
import { assignmentPrompt } from './assignment-prompt.ts';
import { assignmentKey } from './delegation-key.ts';

const Delegated = z.object({ number: z.number().int() });

/**
 * Queues the one run of an assignment, whatever number of times its event is seen; not of one that is over already. One that
 * cannot be queued for good fails its ticket with the reason.
 * @returns whether there is such a run
 * @throws Fault of spaces when it is one that may pass
 */
export async function dispatchAssignment(
  deps: RunsDeps,
  workspaceId: string,
  event: WorkspaceEvent,
): Promise<boolean> {
  const { number } = Delegated.parse(event.data);
  const ref = { ticketId: event.subject, number };
  try {
    const ticket = await deps.spaces.ticket(workspaceId, ref.ticketId);
    const delegation = ticket.delegations.find((one) => one.number === number);
    if (!delegation || delegation.endedAt !== null || delegation.withdrawnAt !== null) return false;
    await queue(deps, workspaceId, ticket, delegation);
    return true;
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.warn({ err: error, ...ref }, 'an assignment started nobody');
    const end = {
      outcome: 'failed',
      body: `The work was not begun: ${error.message}`,
      runEndedAt: event.at,
    } as const;
    await deps.spaces.endDelegation(workspaceId, ref.ticketId, number, end);
    return false;
  }
}

async function queue(
  deps: RunsDeps,
  workspaceId: string,
  ticket: WholeTicket,
  { number, agentId, delegatedBy, runId, conversationId }: DelegationFacts,
): Promise<void> {
  const database = await deps.databases.open(workspaceId);
  const cause = runId === null ? null : await findRow(database, runId);
  const surface = await surfaceIn(deps, workspaceId, conversationId);
  const nameOf = await namesOf(deps.spaces, workspaceId);
  await createRun(deps, workspaceId, {
    ...{ agentId, conversationId, causeRunId: runId, budgetScope: cause?.budgetScope ?? null },
    trigger: { kind: 'assignment', id: ticket.id },
    prompt: assignmentPrompt({ ticket, delegatedBy, nameOf, surface }),
    requestedBy: isPerson(delegatedBy) ? delegatedBy : (cause?.requestedBy ?? null),
    key: assignmentKey({ ticketId: ticket.id, number }),
  });
}

async function surfaceIn(
  deps: RunsDeps,
  workspaceId: string,
  conversationId: string | null,
): Promise<string[]> {
  const space = conversationId && (await deps.spaces.conversation(workspaceId, conversationId)).space;
  // Nothing that reviews is named in such a prompt.
  const ground = {
    ...{ hasConversation: conversationId !== null, hasReview: false },
    hasWorktree: space ? space.repositories.length > 0 : false,
  };
  return surfaceOf(capabilityProfile(space ? space.mode : 'chat'), ground).map(({ name }) => name);
}
