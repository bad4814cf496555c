import * as z from 'zod';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { createRun } from '../runs/create-run.ts';

const Posted = z.object({ conversationId: z.string(), wake: z.array(z.string()).default([]) });

/** Messages of the conversation among which the one that woke the agent is looked for. */
const LOOK_BACK = 200;

/** Queues one run for each agent a message wakes, whatever number of times the event is seen. */
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
  const { conversationId, wake } = posted.data;
  if (wake.length === 0) return false;
  const messages = await deps.spaces.recentMessages(workspaceId, conversationId, LOOK_BACK);
  const message = messages.find(({ id }) => id === event.subject);
  for (const agentId of wake) {
    await queue(deps, workspaceId, event, { agentId, conversationId, body: message?.body ?? '' });
  }
  return true;
}

async function queue(
  deps: RunsDeps,
  workspaceId: string,
  event: WorkspaceEvent,
  { agentId, conversationId, body }: { agentId: string; conversationId: string; body: string },
): Promise<void> {
  try {
    await createRun(deps, workspaceId, {
      agentId,
      conversationId,
      trigger: { kind: 'userMessage', id: event.subject },
      prompt: body,
      requestedBy: event.actor,
      key: `message:${event.subject}/${agentId}`,
    });
  } catch (error) {
    // An agent or conversation that is gone cannot be woken by trying again.
    if (!hasFaultCode(error, 'not_found', 'invalid_request')) throw error;
    deps.log.warn({ err: error, agentId, messageId: event.subject }, 'a message woke nobody');
  }
}
