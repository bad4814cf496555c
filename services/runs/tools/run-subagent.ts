import * as z from 'zod';
import { actorId } from '../../kit/actor.ts';
import { schemaProblem } from '../harness/output-schema.ts';
import type { Run } from '../runs/schema.ts';
import { assigneeOf } from './assignee.ts';
import { defineTool, failed, type ToolContext, type ToolReply } from './tool.ts';

export const runSubagent = defineTool({
  name: 'run_subagent',
  description:
    'Gives one task to a sub-agent and waits for its result. It starts afresh and sees nothing of your conversation, so the task must say all that it needs and what it is to answer. It has no tool that you do not have, and works in the same worktree. Several in one answer work at the same time where this space only reads, else one after the other.',
  input: z.strictObject({
    task: z.string().trim().min(1).max(100_000),
    agent: z
      .string()
      .min(1)
      .max(80)
      .optional()
      .describe('Name of the agent that is to do it; yourself when left out'),
    outputSchema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the JSON that is to be its result'),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async (context, { task, agent, outputSchema = null }) => {
    const problem = outputSchema === null ? null : schemaProblem(outputSchema);
    if (problem !== null) return failed(`The outputSchema cannot be used: ${problem}`);
    // The call is made anew when its sub-agent has ended; by then the named agent may have another name.
    const run = (await context.startedSubagent()) ?? (await start(context, agent, task, outputSchema));
    return run.endedAt === null ? { kind: 'suspend', waitingFor: run.id } : resultOf(run);
  },
});

async function start(
  context: ToolContext,
  agent: string | undefined,
  prompt: string,
  outputSchema: Record<string, unknown> | null,
): Promise<Run> {
  const actor = (await assigneeOf(context.spaces, context.workspaceId, agent)) ?? context.actor;
  return context.startSubagent({ agentId: actorId(actor), prompt, outputSchema });
}

function resultOf({ status, errorFamily, summary, output }: Run): ToolReply {
  const text = output?.text.trim() ?? '';
  if (status === 'completed' && errorFamily === null) return text === '' ? (summary ?? '') : text;
  const what = status === 'completed' ? 'ended without a result' : `was not done: the sub-agent ${status}`;
  const said = status !== 'completed' && text !== '' ? `\nIt said:\n${text}` : '';
  return failed(`The task ${what} (${errorFamily}). ${summary ?? ''}${said}`);
}
