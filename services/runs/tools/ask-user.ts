import * as z from 'zod';
import type { ApprovalFacts } from '../peers/spaces-port.ts';
import { defineTool, failed, type ToolContext, type ToolReply } from './tool.ts';

export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Asks the people of this space a question and waits for the answer, however long it takes. Ask only what you cannot find out yourself and cannot go on without.',
  input: z.strictObject({
    question: z.string().trim().min(1).max(10_000),
    choices: z.array(z.string().min(1).max(300)).min(2).max(10).optional(),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async (context, { question, choices = [] }) => {
    const approval = await context.spaces.requestApproval(context.actor, context.workspaceId, {
      kind: 'question',
      requester: context.actor,
      subject: question.slice(0, 300),
      arguments: { question, choices },
      runId: context.runId,
      rootRunId: context.rootRunId,
      spaceId: context.spaceId,
      conversationId: context.conversationId,
      key: context.key,
    });
    if (approval.status !== 'pending') return decided(approval);
    await postQuestion(context, approval.id, question, choices);
    return { kind: 'suspend', waitingFor: approval.id };
  },
});

async function postQuestion(
  { spaces, actor, workspaceId, conversationId, runId, key }: ToolContext,
  approvalId: string,
  question: string,
  choices: string[],
): Promise<void> {
  if (conversationId === null) return;
  await spaces.postMessage(actor, workspaceId, conversationId, {
    kind: 'question',
    body: [question, ...choices.map((choice) => `- ${choice}`)].join('\n'),
    data: { approvalId, runId, choices },
    key: `${key}/question`,
  });
}

function decided({ status, decision }: ApprovalFacts): ToolReply {
  if (status === 'approved') return `The answer: ${decision?.answer ?? decision?.reason ?? 'yes'}`;
  if (status === 'superseded') return failed('The question was withdrawn before anyone answered it.');
  const reason = decision?.reason ?? decision?.answer;
  return `The question was declined${reason ? `: ${reason}` : ' without a reason'}. Go on without an answer, or say what cannot be done.`;
}
