import type { StepResult } from '../engine/engine.ts';
import { bounded, POST_LIMIT } from '../text.ts';
import { answerOf, dispatch, type Room, stepConversation } from './agent-step.ts';
import { isLeftOut } from './gate.ts';
import { type StepOutput, type StepScope, startOutput } from './step-scope.ts';

/** One role's sub-ticket, in a thread and worktree of its own that starts from the branches of the tickets it needs. */
export async function ticket(scope: StepScope): Promise<StepResult> {
  const ticketId = scope.tickets.get(scope.step.key);
  if (!ticketId) return { kind: 'failed', message: `Step ${scope.step.key} has no ticket.` };
  if (isLeftOut(scope)) {
    await scope.spaces.patchTicket(ticketId, { status: 'cancelled' });
    return { kind: 'skipped', message: 'Left out by a person.' };
  }
  if (!scope.context.received) {
    await scope.spaces.patchTicket(ticketId, { status: 'inProgress' });
    return dispatch(scope, workRoom(scope));
  }
  const answer = answerOf(scope, scope.context.received.payload);
  if ('failure' in answer) return failTicket(scope, ticketId, answer.failure);
  const branch = await commitRest(scope);
  const { key } = scope.context;
  const whole = bounded(answer.text, POST_LIMIT, 'The run keeps the whole.');
  const result = branch === null ? whole : `${whole}\n\nBranch: \`${branch}\``;
  await scope.spaces.commentTicket(ticketId, { key: `${key}/result`, body: result });
  await scope.spaces.patchTicket(ticketId, { status: 'done' });
  const output: StepOutput = { ...answer, ticketId, branch };
  return { kind: 'done', output };
}

function workRoom(scope: StepScope): Room {
  const { workSpaceId, base } = startOutput(scope);
  if (base === null) return { spaceId: workSpaceId, worktree: null };
  const merge = scope.step.needs.flatMap((key) => branchOf(scope.outputs.get(key)));
  return { spaceId: workSpaceId, worktree: { base, merge } };
}

function branchOf(output: unknown): string[] {
  const branch = (output as Partial<StepOutput> | undefined)?.branch;
  return branch ? [branch] : [];
}

/** Commits what the agent left uncommitted; gives the branch, null without a worktree. */
async function commitRest(scope: StepScope): Promise<string | null> {
  const { step, context, orchestration, runs } = scope;
  const { workSpaceId, base } = startOutput(scope);
  if (base === null || !step.agentId) return null;
  const { branch } = await runs.commitWorktree({
    key: `${context.key}/commit`,
    conversationId: await stepConversation(scope, workSpaceId),
    message: step.title,
    ...{ agentId: step.agentId, requestedBy: orchestration.requestedBy },
  });
  return branch;
}

async function failTicket(scope: StepScope, ticketId: string, message: string): Promise<StepResult> {
  await scope.spaces.commentTicket(ticketId, {
    key: `${scope.context.key}/result`,
    body: `**Failed.** ${message}`,
  });
  await scope.spaces.patchTicket(ticketId, { status: 'failed' });
  return { kind: 'failed', message };
}
