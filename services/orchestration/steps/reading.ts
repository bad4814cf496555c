import type { StepResult } from '../engine/engine.ts';
import { bounded, POST_LIMIT } from '../text.ts';
import { answerOf, dispatch, readingRoom } from './agent-step.ts';
import { agentActor, type StepOutput, type StepScope, startOutput } from './step-scope.ts';

/** One agent looks into the matter; what it finds feeds the rest. */
export async function research(scope: StepScope): Promise<StepResult> {
  if (!scope.context.received) return dispatch(scope, readingRoom(scope));
  const answer = answerOf(scope, scope.context.received.payload);
  if ('failure' in answer) return { kind: 'failed', message: answer.failure };
  return { kind: 'done', output: await keepOnParent(scope, answer) };
}

/** One role says where it stands; the position is posted in the discussion, in the role's name. */
export async function position(scope: StepScope): Promise<StepResult> {
  if (!scope.context.received) return dispatch(scope, readingRoom(scope));
  const answer = answerOf(scope, scope.context.received.payload);
  if ('failure' in answer) return { kind: 'failed', message: answer.failure };
  const text = positionText(answer.value);
  const { step, orchestration, context } = scope;
  await scope.spaces.postMessage(
    agentActor(String(step.agentId)),
    startOutput(scope).discussionConversationId,
    {
      ...{
        key: `${context.key}/position`,
        kind: 'position',
        body: bounded(text, POST_LIMIT, 'The run keeps the whole.'),
      },
      data: { orchestrationId: orchestration.id, step: step.key, role: step.role },
    },
  );
  return { kind: 'done', output: await keepOnParent(scope, { text, value: answer.value }) };
}

function positionText(value: unknown): string {
  const { position, risks, suggestions } = value as {
    position: string;
    risks: string[];
    suggestions: string[];
  };
  const list = (title: string, items: string[]) =>
    items.length > 0 ? `\n\n**${title}**\n\n${items.map((item) => `- ${item}`).join('\n')}` : '';
  return `${position}${list('Risks', risks)}${list('Suggestions', suggestions)}`;
}

// These steps have no ticket of their own, so their whole text goes to the parent ticket.
async function keepOnParent(scope: StepScope, answer: { text: string; value: unknown }): Promise<StepOutput> {
  const { orchestration, step, context, spaces } = scope;
  const ticketId = orchestration.parentTicketId;
  if (ticketId) {
    const body = `**${step.title}**\n\n${bounded(answer.text, POST_LIMIT, 'The run keeps the whole.')}`;
    await spaces.commentTicket(ticketId, { key: `${context.key}/result`, body });
  }
  return { ...answer, ticketId, branch: null };
}
