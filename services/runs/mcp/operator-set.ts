import { Fault } from '../../kit/fault.ts';
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

/** What a person's own token is offered; a viewer's, what only reads. */
export function operatorSet(operator: Operator, isViewer: boolean): ToolSet {
  const offered = OPERATOR_TOOLS.filter(({ reads }) => reads || !isViewer);
  return {
    instructions: INSTRUCTIONS,
    mayWait: false,
    list: async () => offered.map((tool) => tool.offer),
    call: async ({ name, input }) => {
      const tool = BY_NAME.get(name);
      if (!tool) throw unknownTool(name, namesOf(offered));
      if (!offered.includes(tool)) throw notForViewers(name);
      return tool.call(operator, input);
    },
    // Every call here is over in a moment.
    cancel: () => undefined,
  };
}

function namesOf(tools: readonly OperatorTool[]): string[] {
  return tools.map(({ offer }) => offer.name);
}

function notForViewers(name: string): Fault {
  return new Fault(
    'forbidden',
    `${name} is for owners and operators; a viewer looks on and changes nothing. Ask one of them.`,
  );
}
