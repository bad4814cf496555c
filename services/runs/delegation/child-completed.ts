import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { namesOf } from '../prompt/names.ts';
import { createRunWhere } from '../runs/create-run.ts';
import { agentActor } from '../runs/run.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { postNotice } from '../steering/notices.ts';
import { isWithNoRun, type SteeringMessage, steerInConversation } from '../steering/store.ts';
import { childPrompt } from './child-prompt.ts';
import { childCompletedId, type DelegationRef } from './delegation-key.ts';

const Ended = z.object({
  number: z.number().int(),
  agentId: z.string(),
  delegatedBy: z.string(),
  runId: z.string().nullable(),
});

const OVER = ['done', 'failed', 'cancelled'];

/**
 * A ticket that an agent delegated has ended: the agent is told once, in its run at work in the conversation in which it
 * delegated, else in a run of its own there; where a person stopped the run that delegated, people are told in its place.
 * @returns whether there may be a run to start
 * @throws Fault of spaces when it is one that may pass
 */
export async function tellDelegator(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  event: WorkspaceEvent,
): Promise<boolean> {
  const { number, agentId, delegatedBy, runId } = Ended.parse(event.data);
  // Who brought it to its end itself knows.
  if (runId === null || delegatedBy === event.actor) return false;
  const ref = { ticketId: event.subject, number };
  try {
    const cause = await findRow(database, runId);
    const body = await promptFor(deps, workspaceId, ref, { agentId, cause, by: event.actor });
    const author = agentActor(agentId);
    const message = { messageId: childCompletedId(ref), agentId: cause.agentId, author, body, at: event.at };
    if (isStopped(cause)) return await tellPeople(deps, workspaceId, cause, message);
    return await wake(deps, workspaceId, database, cause, message);
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.warn({ err: error, ...ref }, 'nobody could be told of the end of a delegated ticket');
    return false;
  }
}

function isStopped({ status, cancelRequested }: RunRow): boolean {
  return status === 'cancelled' || (cancelRequested === 1 && status !== 'completed' && status !== 'failed');
}

async function promptFor(
  deps: RunsDeps,
  workspaceId: string,
  { ticketId, number }: DelegationRef,
  { agentId, cause, by }: { agentId: string; cause: RunRow; by: Actor },
): Promise<string> {
  const ticket = await deps.spaces.ticket(workspaceId, ticketId);
  const others = await deps.spaces.tickets(workspaceId, { delegatedInRun: cause.id });
  const nameOf = await namesOf(deps.spaces, workspaceId);
  const delegation = ticket.delegations.find((one) => one.number === number);
  return childPrompt({
    ticket,
    assignee: nameOf(agentActor(agentId)),
    resultCommentId: delegation?.resultCommentId ?? null,
    endedBy: by.startsWith('service:') ? null : nameOf(by),
    open: others.filter(({ id, status }) => id !== ticketId && !OVER.includes(status)),
  });
}

async function wake(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  cause: RunRow,
  message: SteeringMessage,
): Promise<boolean> {
  const { conversationId } = cause;
  const steered =
    conversationId === null ? null : await steerInConversation(database, message, conversationId);
  if (!steered || steered.isPassedOn) {
    await runOfChild(deps, workspaceId, cause, message);
    return true;
  }
  return false;
}

/** Queues the run in which an agent goes on with what it delegated, once; not when another run has read of it, or will. */
export async function runOfChild(
  deps: RunsDeps,
  workspaceId: string,
  cause: Pick<RunRow, 'id' | 'agentId' | 'conversationId' | 'budgetScope' | 'requestedBy'>,
  message: SteeringMessage,
): Promise<void> {
  const { messageId, body } = message;
  const { agentId, conversationId, budgetScope, requestedBy } = cause;
  const run = {
    ...{ agentId, conversationId, budgetScope, causeRunId: cause.id, prompt: body, key: messageId },
    trigger: { kind: 'childCompleted', id: messageId.replace(/^childCompleted:|\/\d+$/g, '') } as const,
    requestedBy: requestedBy as Actor | null,
  };
  try {
    // Who goes on with a part may have to wait for another, so nothing has to be delivered.
    await createRunWhere(deps, workspaceId, run, isWithNoRun(message), false);
  } catch (error) {
    // An agent or conversation that is gone cannot go on by trying again.
    if (!hasFaultCode(error, 'not_found', 'invalid_request')) throw error;
    deps.log.warn({ err: error, messageId }, 'the end of a delegated ticket woke nobody');
  }
}

async function tellPeople(
  deps: RunsDeps,
  workspaceId: string,
  { id, agentId, conversationId }: RunRow,
  { messageId, body }: SteeringMessage,
): Promise<boolean> {
  if (conversationId === null) return false;
  await postNotice(deps, workspaceId, agentActor(agentId), conversationId, {
    body: `The run that delegated this was cancelled, so nobody goes on with it. Write if somebody is to.\n\n${body}`,
    data: { runId: id },
    key: messageId,
  });
  return false;
}
