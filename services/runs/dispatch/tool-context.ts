import { Fault } from '../../kit/fault.ts';
import { delegatorOf } from '../delegation/lineage.ts';
import type { RunsDeps } from '../deps.ts';
import type { ToolCall } from '../harness/tool-port.ts';
import { createRun } from '../runs/create-run.ts';
import { agentActor } from '../runs/run.ts';
import type { RunRow } from '../runs/schema.ts';
import { findByKey } from '../runs/store.ts';
import { idsBelow } from '../runs/tree.ts';
import { createFetchPage } from '../tools/fetch/fetch-page.ts';
import { runFolder } from '../tools/run-folder.ts';
import { createSeenFiles } from '../tools/seen-files.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Worktree } from '../worktrees/store.ts';
import type { PreparedRun } from './prepare-run.ts';

/** What one call of one run can reach. */
export function contextOf(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  { agent, profile, worktrees, agentsAbove }: PreparedRun,
  { callId }: ToolCall,
  signal: AbortSignal,
): ToolContext {
  const { id: runId, conversationId, spaceId, requestedBy } = row;
  const [actor, key] = [agentActor(row.agentId), `${runId}/${callId}`];
  const { runner, spaces, reviews, proposeOrchestration, submitPlan } = deps;
  const folderOf = (id: string) => runFolder(deps.dataDir, workspaceId, id);
  return {
    ...{ workspaceId, runId, callId, key, actor, conversationId, spaceId, requestedBy, signal },
    rootRunId: row.rootRunId ?? runId,
    onBehalfOf: agentsAbove.map(agentActor),
    ...{ runner, spaces, reviews, proposeOrchestration, submitPlan },
    agent: { id: agent.id, name: agent.name },
    readOnly: profile.worktree === 'read-only',
    worktree: (name) => {
      const { conversationId, repository } = worktreeOf(worktrees, name);
      return { workspaceId, conversationId, repository };
    },
    seen: createSeenFiles(folderOf(runId)),
    runFolders: async () => (await idsBelow(await deps.databases.open(workspaceId), runId)).map(folderOf),
    fetchPage: createFetchPage({ allow: deps.fetchAllow ?? [] }),
    worktreePath: (name) => worktreeOf(worktrees, name).path,
    startedSubagent: async () => findByKey(await deps.databases.open(workspaceId), key),
    startSubagent: (task) =>
      createRun(deps, workspaceId, {
        ...{ ...task, key, requestedBy, parentRunId: runId },
        trigger: { kind: 'assignment', id: runId },
      }),
    delegator: async () => delegatorOf(await deps.databases.open(workspaceId), row),
    origin: () => {
      if (spaceId !== null && conversationId !== null) {
        return { workspaceId, actor, spaceId, conversationId, runId, requestedBy, key };
      }
      throw new Fault('invalid_request', 'This run belongs to no conversation.');
    },
  };
}

function worktreeOf(worktrees: readonly Worktree[], name: string | undefined): Worktree {
  const found = worktrees.find(({ repository }) => name === undefined || repository === name);
  if (found) return found;
  const known = worktrees.map(({ repository }) => repository).join(', ') || 'none';
  throw new Fault('invalid_request', `There is no repository ${name ?? ''} here. Linked: ${known}.`);
}
