import { capabilityProfile } from '../../../core-wasm/core.ts';
import { newId } from '../../kit/id.ts';
import type { RunsDeps } from '../deps.ts';
import { BUILT_IN_ADAPTER } from './run.ts';
import type { CreateRun, Run, RunRow } from './schema.ts';
import { findByKey, findRun, insertRun } from './store.ts';

/**
 * Queues a run. The same key again returns the run there is and changes nothing.
 * @throws Fault not_found for an agent, a conversation or a parent run that this workspace does not have
 */
export async function createRun(deps: RunsDeps, workspaceId: string, input: CreateRun): Promise<Run> {
  const database = await deps.databases.open(workspaceId);
  const known = input.key ? await findByKey(database, input.key) : null;
  if (known) return known;
  const agent = await deps.spaces.agent(workspaceId, input.agentId);
  const conversation = input.conversationId
    ? await deps.spaces.conversation(workspaceId, input.conversationId)
    : null;
  if (input.parentRunId) await findRun(database, input.parentRunId);
  const profile = capabilityProfile(conversation?.space.mode ?? 'chat');
  return insertRun(database, {
    ...newRow(input, deps.clock()),
    agentId: agent.id,
    agentName: agent.name,
    spaceId: conversation?.space.id ?? null,
    mode: profile.mode,
    profileVersion: profile.version,
    // Whether there is such a model is judged at the start, where a run that cannot start ends with the reason.
    model: agent.modelId ?? deps.models.defaultModel,
  });
}

type Unresolved = 'agentId' | 'agentName' | 'spaceId' | 'mode' | 'profileVersion' | 'model';

function newRow(input: CreateRun, nowMs: number): Omit<RunRow, Unresolved> {
  return {
    ...requested(input),
    id: newId('run', nowMs),
    adapter: BUILT_IN_ADAPTER,
    status: 'queued',
    phase: 'queued',
    liveness: 'progressing',
    errorFamily: null,
    summary: null,
    output: null,
    tools: [],
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicros: 0,
    sandbox: 'unknown',
    branch: null,
    waitingFor: null,
    cancelRequested: 0,
    epoch: 0,
    createdAt: nowMs,
    startedAt: null,
    endedAt: null,
  };
}

function requested(input: CreateRun) {
  return {
    key: input.key ?? null,
    conversationId: input.conversationId ?? null,
    parentRunId: input.parentRunId ?? null,
    triggerKind: input.trigger.kind,
    triggerId: input.trigger.id,
    prompt: input.prompt,
    requestedBy: input.requestedBy ?? null,
    outputSchema: input.outputSchema ?? null,
    worktree: input.worktree ?? null,
    budgetScope: input.budgetScope ?? null,
  };
}
