import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import type { ToolCall } from '../harness/tool-port.ts';
import { agentActor } from '../runs/run.ts';
import type { RunRow } from '../runs/schema.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { PreparedRun } from './prepare-run.ts';

/** What one call of one run can reach. */
export function contextOf(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  { agent, profile, worktrees }: PreparedRun,
  { callId }: ToolCall,
  signal: AbortSignal,
): ToolContext {
  const { id: runId, conversationId, spaceId, requestedBy } = row;
  const [actor, key] = [agentActor(row.agentId), `${runId}/${callId}`];
  const { runner, spaces, proposeOrchestration, submitPlan } = deps;
  return {
    ...{ workspaceId, runId, key, actor, conversationId, spaceId, requestedBy, signal },
    ...{ runner, spaces, proposeOrchestration, submitPlan },
    agent: { id: agent.id, name: agent.name },
    readOnly: profile.worktree === 'read-only',
    worktree: (repository) => {
      const names = worktrees.map((worktree) => worktree.repository);
      const name = repository ?? names[0];
      if (name !== undefined && conversationId !== null && names.includes(name)) {
        return { workspaceId, conversationId, repository: name };
      }
      const known = names.join(', ') || 'none';
      throw new Fault('invalid_request', `There is no repository ${name ?? ''} here. Linked: ${known}.`);
    },
    origin: () => {
      if (spaceId !== null && conversationId !== null) {
        return { workspaceId, actor, spaceId, conversationId, runId, requestedBy, key };
      }
      throw new Fault('invalid_request', 'This run belongs to no conversation.');
    },
  };
}
