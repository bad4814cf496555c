import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../../../core-wasm/core.ts';
import type { Workspace } from '../../../services/spaces/workspaces/schema.ts';
import type { Client } from '../client/client.ts';
import { CommandError, usageError } from '../command-error.ts';
import { EXIT } from '../exit-status.ts';
import type { FileToAttach } from '../files-to-attach.ts';
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
  /** Local files that go along with the goal. */
  files?: readonly FileToAttach[];
  /** Id of a space that is there already, to whose main conversation the goal goes; default: a new one. */
  spaceId?: string;
  /** Everything that is made carries a key under this one, so that starting again with it makes nothing twice. */
  key: string;
  signal?: AbortSignal | undefined;
}

const LEADER = 'ceo';
const READY_WITHIN_MS = 60_000;

/** Puts the goal to the workspace's leading agent in a space of its own. */
export async function startJob(client: Client, job: StartJob): Promise<JobTarget> {
  if (job.spaceId !== undefined) return continueJob(client, job, job.spaceId);
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
  return post(client, job, workspace.id, space, addressed(job.goal, LEADER));
}

/** @throws CommandError when the goal wakes none of the space's agents */
async function continueJob(client: Client, job: StartJob, spaceId: string): Promise<JobTarget> {
  const { id: workspaceId } = await readyWorkspace(client, job);
  const space = await client.space(workspaceId, spaceId);
  const names = await namesOf(client, workspaceId, space.agents);
  const [only] = names.length === 1 ? names : [];
  if (only === undefined && !job.goal.includes('@')) throw nobodyMeant(space.id, names);
  return post(client, job, workspaceId, space, only === undefined ? job.goal : addressed(job.goal, only));
}

async function namesOf(client: Client, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const agents = await client.agents(workspaceId);
  return agents.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}

async function post(
  client: Client,
  { key, files = [] }: StartJob,
  workspaceId: string,
  { id: spaceId, mainConversationId: conversationId }: { id: string; mainConversationId: string },
  body: string,
): Promise<JobTarget> {
  const attachments = [];
  for (const [place, file] of files.entries()) {
    const { id } = await client.attach(workspaceId, conversationId, file, `${key}/attachment/${place}`);
    attachments.push(id);
  }
  const messageKey = `${key}/message`;
  const { message } = await client.postMessage(workspaceId, conversationId, body, messageKey, attachments);
  return { workspaceId, spaceId, conversationId, messageId: message.id, orchestrationId: null };
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
function addressed(goal: string, agent: string): string {
  return goal.includes('@') ? `@${agent} ${goal}` : goal;
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

function nobodyMeant(spaceId: string, names: readonly string[]): CommandError {
  const there = names.length === 0 ? 'no agent' : `several agents (${names.join(', ')})`;
  return usageError(`The space ${spaceId} has ${there}: say who is meant by @NAME in the goal.`);
}

function noLeader(workspace: Workspace): CommandError {
  const message = `The workspace ${workspace.name} has no agent named ${LEADER} to give the goal to. Add one, or use another workspace.`;
  return new CommandError(EXIT.failed, 'not_found', message, { workspaceId: workspace.id });
}

function notReady(workspace: Workspace): CommandError {
  const message = `The workspace ${workspace.name} was not ready within a minute; the server's log has the cause.`;
  return new CommandError(EXIT.failed, 'timeout', message, { workspaceId: workspace.id });
}
