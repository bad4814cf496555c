import pRetry from 'p-retry';
import { type CapabilityProfile, capabilityProfile } from '../../../core-wasm/core.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import { isPeerAway } from '../../kit/peer.ts';
import { forgottenIn } from '../checkpoints/undo-store.ts';
import type { RunsDeps } from '../deps.ts';
import type { ResolvedModel } from '../models/catalogue.ts';
import type { AgentFacts, ConversationFacts } from '../peers/spaces-port.ts';
import { conversationPrompt, SHOWN_MESSAGES } from '../prompt/conversation-prompt.ts';
import { namesOf } from '../prompt/names.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { RunRow, Trigger } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import type { StartFacts } from '../runs/transitions.ts';
import { agentsAbove } from '../runs/tree.ts';
import { redact } from '../tools/output.ts';
import type { Tool } from '../tools/tool.ts';
import { openWorktrees } from '../worktrees/open.ts';
import type { Worktree } from '../worktrees/store.ts';
import { surfaceOf } from './surface.ts';

/** Everything a loop needs, looked up at each start of it. */
export interface PreparedRun {
  facts: StartFacts;
  profile: CapabilityProfile;
  tools: readonly Tool[];
  /** The tool that has to be called for the run to have done its work. */
  exitVerb: string | null;
  /** What woke the root of the run's tree. */
  rootTrigger: Trigger['kind'];
  /** Ids of the other agents for whom it works: what is denied to them it does not do either. */
  agentsAbove: readonly string[];
  agent: AgentFacts;
  model: ResolvedModel;
  worktrees: readonly Worktree[];
  system: { text: string; cache: boolean }[];
  prompt: string;
}

/** How long a run waits between two looks for a peer. */
const AWAY = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 5_000 };

/**
 * As `prepareRun`, however long a peer stays away: the run has done nothing yet, and waits for the peer rather than for a
 * person.
 * @param between called before each further look; throws to stop the run there
 * @throws the signal's reason, and what `between` and `prepareRun` throw
 */
export function prepareWithPeers(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  signal: AbortSignal,
  between: () => void = () => undefined,
): Promise<PreparedRun> {
  return peersAwaited(deps, row.id, signal, () => prepareRun(deps, workspaceId, row), between);
}

/**
 * What is asked of a peer for a run, however long it stays away.
 * @throws as `prepareWithPeers`, and what `ask` throws
 */
export function peersAwaited<T>(
  deps: RunsDeps,
  runId: string,
  signal: AbortSignal,
  ask: () => Promise<T>,
  between: () => void = () => undefined,
): Promise<T> {
  return pRetry(ask, {
    ...{ ...AWAY, signal },
    shouldRetry: ({ error }) => isPeerAway(error),
    onFailedAttempt: ({ error }) => {
      if (!isPeerAway(error)) return;
      deps.log.warn({ err: error, runId }, 'a run waits for a peer');
      between();
    },
  });
}

/**
 * A run's first start takes the mode that its space has then, and a sub-agent's the mode of its parent; a run that goes on
 * keeps its own, and each of its calls is judged by both.
 * @throws Fault of the peers, the runner or the catalogue
 */
async function prepareRun(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<PreparedRun> {
  const agent = await deps.spaces.agent(workspaceId, row.agentId);
  const conversation = row.conversationId
    ? await deps.spaces.conversation(workspaceId, row.conversationId)
    : null;
  const { parent, root } = await above(deps, workspaceId, row);
  const isNew = row.startedAt === null && parent === null;
  const profile = capabilityProfile(isNew ? (conversation?.space.mode ?? 'chat') : row.mode);
  const worktrees = conversation ? await openAll(deps, workspaceId, row, conversation) : [];
  const review = conversation && (await deps.reviews.ofSpace(workspaceId, conversation.space.id));
  const ground = {
    hasConversation: conversation !== null,
    hasWorktree: worktrees.length > 0,
    hasReview: review !== null,
  };
  const tools = surfaceOf(profile, ground, parent?.tools);
  const isOffered = tools.some((tool) => tool.name === profile.exitVerb);
  const exitVerb = row.hasContract === 1 && isOffered ? profile.exitVerb : null;
  const model = deps.models.resolve(agent.modelId);
  const { sandbox } = await deps.runner.probe();
  return {
    facts: {
      mode: profile.mode,
      profileVersion: profile.version,
      model: model.id,
      tools: tools.map((tool) => tool.name),
      sandbox: sandbox.backend ?? `none: ${sandbox.reason ?? 'no reason given'}`,
      branch: worktrees[0]?.branch ?? null,
    },
    ...{ profile, tools, exitVerb, agent, model, worktrees },
    rootTrigger: root.triggerKind,
    agentsAbove: await agentsAbove(await deps.databases.open(workspaceId), row),
    system: systemPrompt({
      ...{ profile, tools, exitVerb, agent, conversation, worktrees },
      isSubagent: parent !== null,
      repositoryGuide: await repositoryGuide(deps, workspaceId, worktrees[0]),
    }).map(({ text, cache }) => ({ text: redact(text, deps.secrets ?? []), cache })),
    prompt: redact(await promptOf(deps, workspaceId, row), deps.secrets ?? []),
  };
}

async function above(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
): Promise<{ parent: RunRow | null; root: RunRow }> {
  if (row.parentRunId === null) return { parent: null, root: row };
  const database = await deps.databases.open(workspaceId);
  const parent = await findRow(database, row.parentRunId);
  return { parent, root: row.rootRunId === null ? parent : await findRow(database, row.rootRunId) };
}

function openAll(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  { id, space }: ConversationFacts,
): Promise<Worktree[]> {
  return openWorktrees(deps, {
    workspaceId,
    conversationId: id,
    repositories: space.repositories,
    request: row.worktree,
  });
}

async function repositoryGuide(
  deps: RunsDeps,
  workspaceId: string,
  worktree: Worktree | undefined,
): Promise<string | null> {
  if (!worktree) return null;
  const { conversationId, repository } = worktree;
  try {
    const file = await deps.runner.readFile(
      { workspaceId, conversationId, repository },
      { path: 'AGENTS.md' },
    );
    return file.text;
  } catch (error) {
    // Without a guide, or with one that is no text inside the repository, the run goes on without it.
    if (hasFaultCode(error, 'file_not_found', 'path_outside_worktree', 'invalid_request', 'too_large'))
      return null;
    throw error;
  }
}

/** A sub-agent starts afresh: it is told its task alone. */
async function promptOf(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<string> {
  if (row.conversationId === null || row.parentRunId !== null) return row.prompt;
  const recent = await deps.spaces.recentMessages(workspaceId, row.conversationId, SHOWN_MESSAGES + 1);
  const forgotten = await forgottenIn(await deps.databases.open(workspaceId), row.conversationId);
  const messages = recent.filter(
    ({ id, data }) => !forgotten.messageIds.has(id) && !forgotten.runIds.has(String(data.runId)),
  );
  return conversationPrompt({
    messages,
    triggerId: row.triggerKind === 'userMessage' ? row.triggerId : null,
    from: row.requestedBy,
    prompt: row.prompt,
    nameOf: await namesOf(deps.spaces, workspaceId),
  });
}
