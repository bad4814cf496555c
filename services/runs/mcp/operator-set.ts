import { decideApproval, listApprovals } from './approval-tools.ts';
import type { Operator } from './operator.ts';
import type { OperatorTool } from './operator-tool.ts';
import { createSpace, listSpaces, postMessage } from './space-tools.ts';
import { type ToolSet, unknownTool } from './tool-set.ts';
import { cancelRun, explainPolicy, getRun, listOrchestrations, listRuns } from './work-tools.ts';

const OPERATOR_TOOLS: readonly OperatorTool[] = [
  ...[listApprovals, decideApproval],
  ...[listSpaces, createSpace, postMessage],
  ...[listRuns, getRun, cancelRun],
  ...[listOrchestrations, explainPolicy],
];

const BY_NAME = new Map(OPERATOR_TOOLS.map((tool) => [tool.offer.name, tool]));

const INSTRUCTIONS =
  'You act in the name of one person in one workspace of Control Center. Show that person the exact arguments of an approval before you decide it, and pass its digest along.';

/** What a person's own token is offered. */
export function operatorSet(operator: Operator): ToolSet {
  return {
    instructions: INSTRUCTIONS,
    mayWait: false,
    list: async () => OPERATOR_TOOLS.map((tool) => tool.offer),
    call: async ({ name, input }) => {
      const tool = BY_NAME.get(name);
      if (!tool) throw unknownTool(name, [...BY_NAME.keys()]);
      return tool.call(operator, input);
    },
    // Every call here is over in a moment.
    cancel: () => undefined,
  };
}
