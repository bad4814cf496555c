import * as z from 'zod';
import type { PlanExit } from '../peers/spaces-port.ts';
import { defineTool } from './tool.ts';

export const exitPlanMode = defineTool({
  name: 'exit_plan_mode',
  description:
    'Asks people to let this space go from plan mode to Agent mode, where work is done. It does not wait: the space stays read-only, and you are woken when a person has decided. Once they have granted it, a call of it moves the space.',
  input: z.strictObject({
    summary: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .describe('What you would do then, and why it needs no plan'),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ spaces, workspaceId, actor, rootRunId, origin }, { summary }) => {
    const { spaceId, conversationId, runId } = origin();
    const request = { runId, rootRunId, conversationId, summary };
    return textOf(await spaces.leavePlanMode(actor, workspaceId, spaceId, request));
  },
});

function textOf({ state, approvalId, reason }: PlanExit): string {
  switch (state) {
    case 'pending':
      return [
        `It is pending (${approvalId}): a person has to decide, and until then the space stays in plan mode, read-only.`,
        reason === null ? '' : `The request before this one was refused: ${reason}`,
        'Calling it again changes nothing before that. End your answer now; whoever asked first is woken with the decision.',
      ]
        .filter((line) => line !== '')
        .join('\n');
    case 'left':
      return 'The space is in Agent mode now. This run keeps the tools of plan mode to its end; your next one has those of Agent mode. Say in a sentence what you will do then, and end.';
    case 'notInPlan':
      return 'The space is not in plan mode, so there is nothing to exit. Go on with the tools that you have.';
  }
}
