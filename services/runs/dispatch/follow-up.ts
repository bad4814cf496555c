import * as z from 'zod';
import { capabilityProfile } from '../../../core-wasm/core.ts';
import { actorId } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { createRun } from '../runs/create-run.ts';
import { followUpPrompt, isFollowedUp, revisingTools } from './follow-up-prompt.ts';
import { surfaceOf } from './surface.ts';

const Decided = z.object({
  kind: z.string(),
  status: z.string(),
  requester: z.string(),
  conversationId: z.string().nullish(),
  runId: z.string().nullish(),
  decision: z
    .object({ reason: z.string().optional(), changesRequested: z.boolean().optional() })
    .nullish()
    .transform((decision) => decision ?? {}),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
type Decided = z.infer<typeof Decided>;

/**
 * Queues the run in which an agent goes on after a decision that no run of it waits for: its request to leave plan mode, or
 * changes that are asked of what it submitted. One run for a decision, whatever number of times the event is seen.
 * @returns whether there is such a run
 */
export async function followUp(deps: RunsDeps, workspaceId: string, event: WorkspaceEvent): Promise<boolean> {
  const parsed = Decided.safeParse(event.data);
  if (!parsed.success) {
    deps.log.error(
      { err: parsed.error, seq: event.seq },
      'a decision cannot be read and was not followed up',
    );
    return false;
  }
  const decided = parsed.data;
  const { conversationId, requester } = decided;
  if (!isFollowedUp(decided) || !requester.startsWith('agent:') || !conversationId) return false;
  try {
    await queue(deps, workspaceId, event, decided, conversationId);
    return true;
  } catch (error) {
    // An agent or conversation that is gone cannot go on by trying again.
    if (!hasFaultCode(error, 'not_found', 'invalid_request')) throw error;
    deps.log.warn({ err: error, approvalId: event.subject }, 'a decision was not followed up');
    return false;
  }
}

async function queue(
  deps: RunsDeps,
  workspaceId: string,
  { subject: approvalId, actor }: WorkspaceEvent,
  decided: Decided,
  conversationId: string,
): Promise<void> {
  const { space } = await deps.spaces.conversation(workspaceId, conversationId);
  const hasWorktree = space.repositories.length > 0;
  // Nothing that reviews is named in such a prompt.
  const ground = { hasConversation: true, hasWorktree, hasReview: false };
  const surface = surfaceOf(capabilityProfile(space.mode), ground).map(({ name }) => name);
  const run = {
    agentId: actorId(decided.requester as `agent:${string}`),
    conversationId,
    trigger: { kind: 'followUp', id: approvalId } as const,
    prompt: followUpPrompt(decided, surface),
    requestedBy: actor,
    causeRunId: decided.runId ?? null,
    key: `followUp:${approvalId}`,
  };
  // Who asked to leave plan mode was not asked for a plan, nor is who can revise nothing here asked for something else.
  const canDeliver = decided.kind !== 'plan_exit' && revisingTools(decided, surface).length > 0;
  await createRun(deps, workspaceId, run, canDeliver);
}
