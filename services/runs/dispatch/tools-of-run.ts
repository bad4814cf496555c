import { checkpointsOf, withCheckpoints } from '../checkpoints/take-checkpoints.ts';
import type { RunsDeps } from '../deps.ts';
import { signText } from '../guard/call-key.ts';
import type { ToolPort } from '../harness/tool-port.ts';
import type { RunRow } from '../runs/schema.ts';
import { createRunTools } from '../tools/run-tools.ts';
import type { PreparedRun } from './prepare-run.ts';
import { contextOf } from './tool-context.ts';

/** The tools of a run, whoever calls them: its own loop, or a client with the run's token. */
export function toolsOfRun(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  prepared: PreparedRun,
): ToolPort {
  const of = (agentId: string) => deps.spaces.guardrails(workspaceId, { agentId, spaceId: row.spaceId });
  const tools = createRunTools({
    ...{ tools: prepared.tools, profile: prepared.profile, log: deps.log, dataDir: deps.dataDir },
    secrets: deps.secrets ?? [],
    guardrails: async () => {
      const [own, ...above] = await Promise.all([of(row.agentId), ...prepared.agentsAbove.map(of)]);
      return [own, ...above];
    },
    waitsForPeople: prepared.rootTrigger === 'pipelineStep',
    commandReader: deps.commandReader,
    sign: async (text) => signText(await deps.databases.open(workspaceId), text),
    contextOf: (call, signal) => contextOf(deps, workspaceId, row, prepared, call, signal),
  });
  const { profile, worktrees } = prepared;
  if (profile.worktree === 'read-only' || worktrees.length === 0) return tools;
  return withCheckpoints(tools, checkpointsOf(deps, workspaceId, row, worktrees));
}
