import * as z from 'zod';
import { RuleScope } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import { APPROVAL_STATUSES } from './operator.ts';
import { defineOperatorTool, Id, paging } from './operator-tool.ts';

export const listApprovals = defineOperatorTool({
  name: 'list_approvals',
  title: 'List approvals',
  description:
    'Lists what agents ask of people: each with its kind, who asks, the exact arguments and their digest. Without a status or run: everything that waits for a decision, newest first.',
  input: z.strictObject({
    status: z.enum(APPROVAL_STATUSES).optional(),
    runId: Id.optional(),
    ...paging,
  }),
  nature: 'reads',
  run: async (operator, query) => {
    const { status, runId, after, limit } = query;
    const isInbox = status === undefined && runId === undefined && after === undefined;
    return { ...(isInbox ? await operator.inbox(limit) : await operator.approvals(query)) };
  },
});

export const decideApproval = defineOperatorTool({
  name: 'decide_approval',
  title: 'Decide an approval',
  description:
    'Decides one approval in your name, once: an action, a question, a way out of plan mode, or a skill. Plans and orchestrations are not decided here.',
  input: z.strictObject({
    approvalId: Id,
    decision: z
      .enum(['approved', 'refused', 'changesRequested'])
      .describe('changesRequested: of a way out of plan mode, with the reason'),
    digest: z
      .string()
      .max(128)
      .optional()
      .describe('Digest of what you read; other arguments are then refused'),
    reason: z.string().max(10_000).optional().describe('What the agent is told'),
    answer: z.string().max(100_000).optional().describe('The answer to a question'),
    grant: z
      .enum(['once', 'run', 'rule'])
      .optional()
      .describe('How far a yes to an action reaches; this call alone unless told'),
    ruleScope: RuleScope.optional().describe('Where the rule holds; in the space unless told'),
  }),
  nature: 'decides',
  run: async (operator, { approvalId, ...decision }) => {
    refuseWork(await operator.approval(approvalId));
    return { ...(await operator.decide(approvalId, decision)) };
  },
});

/**
 * Work of a whole team or plan starts where its tree, its cost and its revision are in view; no tool starts it, for anybody.
 * @throws Fault forbidden
 */
function refuseWork(approval: { kind: string; arguments: Record<string, unknown> }): void {
  if (approval.kind !== 'orchestration') return;
  const id = String(approval.arguments.orchestrationId ?? '<id>');
  throw new Fault(
    'forbidden',
    `No tool decides a plan or an orchestration. Read it and run \`cctl approve ${id}\` or \`cctl reject ${id}\`, or POST to orchestrations/${id}/approve.`,
    { kind: approval.kind },
  );
}
