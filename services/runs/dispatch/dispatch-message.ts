import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { withAttachments } from '../prompt/attachment-lines.ts';
import { tellKept } from '../steering/kept-notice.ts';
import { runOfMessage } from '../steering/own-run.ts';
import { type SteeringMessage, steerInConversation } from '../steering/store.ts';

const Posted = z.object({
  conversationId: z.string(),
  wake: z.array(z.string()).default([]),
  delivery: z.enum(['steer', 'queue']).default('steer'),
});

/**
 * Gives a message to each agent that it wakes, whatever number of times the event is seen: to the run that the agent has at
 * work in the conversation, else in a run of its own.
 * @returns whether there may be a run to start
 */
export async function dispatchMessage(
  deps: RunsDeps,
  workspaceId: string,
  event: WorkspaceEvent,
): Promise<boolean> {
  const posted = Posted.safeParse(event.data);
  if (!posted.success) {
    deps.log.error(
      { err: posted.error, seq: event.seq },
      'a message event cannot be read and was passed over',
    );
    return true;
  }
  const { conversationId, wake, delivery } = posted.data;
  if (wake.length === 0) return false;
  const said = await deps.spaces.message(workspaceId, event.subject);
  const body = withAttachments(said.body, said.attachments);
  for (const agentId of wake) {
    const message = { messageId: event.subject, agentId, author: event.actor, body, at: event.at };
    await deliver(deps, workspaceId, message, conversationId, delivery);
  }
  return true;
}

async function deliver(
  deps: RunsDeps,
  workspaceId: string,
  message: SteeringMessage & { author: Actor },
  conversationId: string,
  delivery: 'steer' | 'queue',
): Promise<void> {
  const database = await deps.databases.open(workspaceId);
  const steered = delivery === 'steer' ? await steerInConversation(database, message, conversationId) : null;
  if (steered && !steered.isPassedOn) return tellKept(deps, workspaceId, steered);
  try {
    await runOfMessage(deps, workspaceId, message, conversationId);
  } catch (error) {
    // An agent or conversation that is gone cannot be woken by trying again.
    if (!hasFaultCode(error, 'not_found', 'invalid_request')) throw error;
    deps.log.warn(
      { err: error, agentId: message.agentId, messageId: message.messageId },
      'a message woke nobody',
    );
  }
}
