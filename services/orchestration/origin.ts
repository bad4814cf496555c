import { Fault } from '../kit/fault.ts';
import type { Bench } from './bench.ts';

/** Where a plan or a proposal says it comes from. */
interface Origin {
  spaceId: string;
  conversationId: string;
  runId?: string | null | undefined;
}

/** @throws Fault not_found for what this workspace does not have, invalid_request for a conversation of another space */
export async function requireOrigin(bench: Bench, workspaceId: string, origin: Origin): Promise<void> {
  const { spaceId, conversationId, runId } = origin;
  const conversation = await bench.spaces(workspaceId).getConversation(conversationId);
  if (conversation.spaceId !== spaceId) {
    throw new Fault(
      'invalid_request',
      `Conversation ${conversationId} is not in space ${spaceId}; name the space of the conversation.`,
    );
  }
  if (runId) await bench.runs(workspaceId).getRun(runId);
}
