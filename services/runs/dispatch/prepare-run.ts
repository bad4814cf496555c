import pRetry from 'p-retry';
import { type CapabilityProfile, capabilityProfile, toolSurface } from '../../../core-wasm/core.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import { isPeerAway } from '../../kit/peer.ts';
import type { RunsDeps } from '../deps.ts';
import type { ResolvedModel } from '../models/catalogue.ts';
import type { AgentFacts, ConversationFacts } from '../peers/spaces-port.ts';
import { conversationPrompt, SHOWN_MESSAGES } from '../prompt/conversation-prompt.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { RunRow } from '../runs/schema.ts';
import type { StartFacts } from '../runs/transitions.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { openWorktrees } from '../worktrees/open.ts';
import type { Worktree } from '../worktrees/store.ts';

/** Everything a loop needs, looked up at each start of it. */
export interface PreparedRun {
  facts: StartFacts;
  profile: CapabilityProfile;
  tools: readonly Tool[];
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
 * @throws the signal's reason, and what `prepareRun` throws
 */
export function prepareWithPeers(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  signal: AbortSignal,
): Promise<PreparedRun> {
  return pRetry(() => prepareRun(deps, workspaceId, row), {
    ...{ ...AWAY, signal },
    shouldRetry: ({ error }) => isPeerAway(error),
    onFailedAttempt: ({ error }) => {
      if (isPeerAway(error)) deps.log.warn({ err: error, runId: row.id }, 'a run waits for a peer');
    },
  });
}

/**
 * A run's first start takes the mode that its space has then; a run that goes on keeps its own, and each of its calls is
 * judged by both.
 * @throws Fault of the peers, the runner or the catalogue
 */
async function prepareRun(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<PreparedRun> {
  const agent = await deps.spaces.agent(workspaceId, row.agentId);
  const conversation = row.conversationId
    ? await deps.spaces.conversation(workspaceId, row.conversationId)
    : null;
  const profile = capabilityProfile(row.startedAt === null ? (conversation?.space.mode ?? 'chat') : row.mode);
  const worktrees = conversation ? await openAll(deps, workspaceId, row, conversation) : [];
  const tools = surfaceOf(profile, conversation !== null, worktrees.length > 0);
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
    ...{ profile, tools, agent, model, worktrees },
    system: systemPrompt({
      ...{ profile, tools, agent, conversation, worktrees },
      repositoryGuide: await repositoryGuide(deps, workspaceId, worktrees[0]),
    }),
    prompt: await promptOf(deps, workspaceId, row),
  };
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

/** The profile's surface over the tools that have something to work on. */
function surfaceOf(profile: CapabilityProfile, hasConversation: boolean, hasWorktree: boolean): Tool[] {
  const useful = EVERY_TOOL.filter(
    ({ needs }) => (needs !== 'worktree' || hasWorktree) && (needs !== 'conversation' || hasConversation),
  );
  const surface = new Set(toolSurface(profile, useful));
  return useful.filter((tool) => surface.has(tool.name));
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

async function promptOf(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<string> {
  if (row.conversationId === null) return row.prompt;
  const messages = await deps.spaces.recentMessages(workspaceId, row.conversationId, SHOWN_MESSAGES + 1);
  const agents = await deps.spaces.agents(workspaceId);
  const names = new Map(agents.map((agent) => [`agent:${agent.id}`, agent.name]));
  return conversationPrompt({
    messages,
    triggerId: row.triggerKind === 'userMessage' ? row.triggerId : null,
    from: row.requestedBy,
    prompt: row.prompt,
    nameOf: (author) => names.get(author) ?? author,
  });
}
