import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../../../core-wasm/core.ts';
import type { Workspace } from '../../../services/spaces/workspaces/schema.ts';
import type { Client } from '../client/client.ts';
import { CommandError, usageError } from '../command-error.ts';
import { EXIT } from '../exit-status.ts';
import { plainLine } from '../plain-text.ts';
import type { JobTarget } from './job.ts';

export interface StartJob {
  workspaceId?: string;
  /** Made when there is none of the name. */
  workspaceName: string;
  /** A local git repository, or null for a space without one. */
  repository: string | null;
  goal: string;
  mode: Mode;
  /** Everything that is made carries a key under this one, so that starting again with it makes nothing twice. */
  key: string;
  signal?: AbortSignal | undefined;
}

const LEADER = 'ceo';
const READY_WITHIN_MS = 60_000;

/** Puts the goal to the workspace's leading agent in a space of its own. */
export async function startJob(client: Client, job: StartJob): Promise<JobTarget> {
  const workspace = await readyWorkspace(client, job);
  const leader = (await client.agents(workspace.id)).find((agent) => agent.name.toLowerCase() === LEADER);
  if (!leader) throw noLeader(workspace);
  const space = await client.createSpace(
    workspace.id,
    {
      name: plainLine(job.goal, 80),
      mode: job.mode,
      repositories:
        job.repository === null ? [] : [{ name: repositoryName(job.repository), path: job.repository }],
      agents: [leader.id],
    },
    `${job.key}/space`,
  );
  const conversationId = space.mainConversationId;
  const { message } = await client.postMessage(
    workspace.id,
    conversationId,
    addressed(job.goal),
    `${job.key}/message`,
  );
  return {
    workspaceId: workspace.id,
    spaceId: space.id,
    conversationId,
    messageId: message.id,
    orchestrationId: null,
  };
}

async function readyWorkspace(client: Client, job: StartJob): Promise<Workspace> {
  const { id } = await namedWorkspace(client, job);
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const workspace = await client.workspace(id);
    if (workspace.state === 'ready') return workspace;
    if (Date.now() > until) throw notReady(workspace);
    await sleep(100, undefined, job.signal ? { signal: job.signal } : {});
  }
}

async function namedWorkspace(client: Client, job: StartJob): Promise<{ id: string }> {
  if (job.workspaceId !== undefined) return { id: job.workspaceId };
  const named = (await client.workspaces()).filter((workspace) => workspace.name === job.workspaceName);
  if (named.length > 1) throw ambiguousName(job.workspaceName, named);
  return named[0] ?? client.createWorkspace(job.workspaceName, `workspace/${job.workspaceName}`);
}

/** The space's only agent is woken by any message, but for one that mentions others. */
function addressed(goal: string): string {
  return goal.includes('@') ? `@${LEADER} ${goal}` : goal;
}

/** A slug of the directory's name. */
export function repositoryName(path: string): string {
  const slug = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
  return slug || 'repository';
}

function ambiguousName(name: string, named: readonly Workspace[]): CommandError {
  const ids = named.map((workspace) => workspace.id).join(', ');
  return usageError(
    `Several workspaces are named ${JSON.stringify(name)}: give the id of one with --workspace (${ids}).`,
  );
}

function noLeader(workspace: Workspace): CommandError {
  const message = `The workspace ${workspace.name} has no agent named ${LEADER} to give the goal to. Add one, or use another workspace.`;
  return new CommandError(EXIT.failed, 'not_found', message, { workspaceId: workspace.id });
}

function notReady(workspace: Workspace): CommandError {
  const message = `The workspace ${workspace.name} was not ready within a minute; the server's log has the cause.`;
  return new CommandError(EXIT.failed, 'timeout', message, { workspaceId: workspace.id });
}
