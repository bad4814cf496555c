import * as z from 'zod';
import { Mode } from '../../../core-wasm/core.ts';
import { RunStatus } from '../runs/schema.ts';
import { ORCHESTRATION_STATUSES } from './operator.ts';
import { defineOperatorTool, Id, paging } from './operator-tool.ts';

export const listRuns = defineOperatorTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists agents’ runs, oldest first: each with its status, liveness, summary, tokens and cost.',
  input: z.strictObject({
    status: RunStatus.optional(),
    conversationId: Id.optional(),
    agentId: Id.optional(),
    ...paging,
  }),
  nature: 'reads',
  run: async (operator, query) => ({ ...(await operator.runs(query)) }),
});

export const getRun = defineOperatorTool({
  name: 'get_run',
  title: 'Look at a run',
  description: 'Gives one run: what it does, how it stands, what it cost, and what it waits for.',
  input: z.strictObject({ runId: Id }),
  nature: 'reads',
  run: async (operator, { runId }) => ({ ...(await operator.run(runId)) }),
});

export const cancelRun = defineOperatorTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description: 'Ends a run for good, whatever it is doing. One that has ended stays as it is.',
  input: z.strictObject({ runId: Id }),
  nature: 'decides',
  run: async (operator, { runId }) => ({ ...(await operator.cancelRun(runId)) }),
});

export const listOrchestrations = defineOperatorTool({
  name: 'list_orchestrations',
  title: 'List orchestrations',
  description:
    'Lists the plans and teams that agents proposed: each with its goal, status, revision and budget.',
  input: z.strictObject({ status: z.enum(ORCHESTRATION_STATUSES).optional(), ...paging }),
  nature: 'reads',
  run: async (operator, query) => ({ ...(await operator.orchestrations(query)) }),
});

export const explainPolicy = defineOperatorTool({
  name: 'explain_policy',
  title: 'Explain the policy',
  description:
    'Says what would happen to an agent’s shell command, or to a call of one of its tools, and which rule says so. Nothing runs and nobody is asked.',
  input: z.strictObject({
    command: z.string().max(100_000).optional().describe('A shell command line; or give tool and input'),
    tool: z.string().min(1).max(200).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    mode: Mode.optional().describe('The mode of the space unless told'),
    agentId: Id.optional(),
    spaceId: Id.optional(),
  }),
  nature: 'reads',
  run: async (operator, question) => ({ ...(await operator.explainPolicy(question)) }),
});
