import { capabilityProfile } from '../../../core-wasm/core.ts';
import type { Statement } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { RunsDeps } from '../deps.ts';
import { BUILT_IN_ADAPTER } from './run.ts';
import type { CreateRun, NewRun, Run, RunRow } from './schema.ts';
import { findByKey, findRow, insertRun } from './store.ts';
import { mayStartSubagent, rootOf, subagentRefusal } from './tree.ts';

/** What a run takes from where it belongs: its conversation, or its parent. */
type Place = Pick<
  RunRow,
  'conversationId' | 'spaceId' | 'parentRunId' | 'rootRunId' | 'depth' | 'mode' | 'budgetScope'
>;

const ALWAYS: Statement = { sql: '1', args: [] };

/**
 * Queues a run. The same key again returns the run there is and changes nothing. A sub-agent belongs where its parent
 * belongs, and has its mode and its budget.
 * @param hasContract whether the run is held to the exit verb of its mode; a sub-agent never is
 * @throws Fault not_found for an agent, a conversation or a parent run that this workspace does not have; tree_limit and
 * wrong_status for a parent that may start no sub-agent
 */
export async function createRun(
  deps: RunsDeps,
  workspaceId: string,
  input: NewRun,
  hasContract = true,
): Promise<Run> {
  const run = await createRunWhere(deps, workspaceId, input, ALWAYS, hasContract);
  if (run) return run;
  throw new Fault('internal', `A run of ${input.agentId} was not written, though nothing stood against it.`);
}

/** As `createRun`, where the condition holds at the moment of the insert; else null. */
export async function createRunWhere(
  deps: RunsDeps,
  workspaceId: string,
  input: NewRun,
  condition: Statement,
  hasContract = true,
): Promise<Run | null> {
  const database = await deps.databases.open(workspaceId);
  const known = input.key ? await findByKey(database, input.key) : null;
  if (known) return known;
  const agent = await deps.spaces.agent(workspaceId, input.agentId);
  const parent = input.parentRunId ? await findRow(database, input.parentRunId) : null;
  const place = parent ? placeBelow(parent, input) : await placeIn(deps, workspaceId, input);
  const row: RunRow = {
    ...newRow(input, deps.clock()),
    ...place,
    agentId: agent.id,
    agentName: agent.name,
    profileVersion: capabilityProfile(place.mode).version,
    hasContract: hasContract && !parent ? 1 : 0,
    requestedBy: input.requestedBy ?? parent?.requestedBy ?? null,
    // Whether there is such a model is judged at the start, where a run that cannot start ends with the reason.
    model: agent.modelId ?? deps.models.defaultModel,
  };
  if (!parent) return insertRun(database, row, condition, input.capMicros ?? null);
  const run = await insertRun(database, row, mayStartSubagent(parent));
  if (run) return run;
  throw await subagentRefusal(database, parent);
}

async function placeIn(deps: RunsDeps, workspaceId: string, input: CreateRun): Promise<Place> {
  const conversation = input.conversationId
    ? await deps.spaces.conversation(workspaceId, input.conversationId)
    : null;
  return {
    conversationId: conversation?.id ?? null,
    spaceId: conversation?.space.id ?? null,
    ...{ parentRunId: null, rootRunId: null, depth: 0 },
    mode: conversation?.space.mode ?? 'chat',
    budgetScope: input.budgetScope ?? null,
  };
}

/** @throws Fault invalid_request when the input names another place than the parent's */
function placeBelow(parent: RunRow, input: CreateRun): Place {
  const { conversationId, budgetScope, capMicros, worktree } = input;
  const isElsewhere =
    (conversationId != null && conversationId !== parent.conversationId) ||
    (budgetScope != null && budgetScope !== parent.budgetScope);
  if (isElsewhere || worktree != null || capMicros != null) {
    const message = `A sub-agent works in the conversation, the worktree and the budget of its parent ${parent.id}; leave conversationId, budgetScope, capMicros and worktree out.`;
    throw new Fault('invalid_request', message);
  }
  return {
    ...{ conversationId: parent.conversationId, spaceId: parent.spaceId },
    ...{ parentRunId: parent.id, rootRunId: rootOf(parent), depth: parent.depth + 1 },
    ...{ mode: parent.mode, budgetScope: parent.budgetScope },
  };
}

type Resolved = 'agentId' | 'agentName' | 'profileVersion' | 'hasContract' | 'requestedBy' | 'model';

function newRow(input: NewRun, nowMs: number): Omit<RunRow, Resolved | keyof Place> {
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
    ...{ parkedAt: null, pauseRequestedBy: null, pauseRequestedAt: null },
    ...{ resumeAt: null, resumeTries: 0, troubleSince: null, troubleAnswers: null },
    ...{ crashes: 0, crashEntries: null, takenOverBy: null, takenOver: null },
    budgetStop: null,
    cancelRequested: 0,
    epoch: 0,
    createdAt: nowMs,
    startedAt: null,
    endedAt: null,
  };
}

function requested(input: NewRun) {
  return {
    key: input.key ?? null,
    triggerKind: input.trigger.kind,
    triggerId: input.trigger.id,
    causeRunId: input.causeRunId ?? null,
    prompt: input.prompt,
    outputSchema: input.outputSchema ?? null,
    worktree: input.worktree ?? null,
    maxTurns: input.maxTurns ?? null,
  };
}
