import type { RunsDeps } from '../deps.ts';
import { createRunWhere } from '../runs/create-run.ts';
import { isWithNoRun, ownRunKey, type SteeringMessage } from './store.ts';

/** Queues the run in which an agent answers a message, once; not when another run has read the message, or will. */
export async function runOfMessage(
  deps: RunsDeps,
  workspaceId: string,
  message: SteeringMessage,
  conversationId: string | null,
): Promise<void> {
  const { messageId, agentId, author, body } = message;
  const run = {
    ...{ agentId, conversationId, prompt: body, requestedBy: author, key: ownRunKey(message) },
    trigger: { kind: 'userMessage', id: messageId } as const,
  };
  await createRunWhere(deps, workspaceId, run, isWithNoRun(message));
}
