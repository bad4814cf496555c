import { randomUUID } from 'node:crypto';
import type { Mode } from '../../core-wasm/core.ts';
import type {
  OrchestrationDetail,
  StepView,
} from '../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { Message } from '../../services/spaces/messages/schema.ts';
import type { Approval, Client } from './client/client.ts';
import { lastSeq } from './client/past-events.ts';
import type { FileToAttach } from './files-to-attach.ts';
import { type BranchFacts, branchFacts } from './job/branch-facts.ts';
import { followJob } from './job/follow-job.ts';
import type { JobEnd, JobHandlers, JobState, JobTarget } from './job/job.ts';
import { belongsTo } from './job/read-job.ts';
import { startJob } from './job/start-job.ts';
import { lastRun, type WaitingItem, waitingItems } from './job/waiting.ts';

export interface MainJobOptions extends JobHandlers {
  /** Wins over the name. */
  workspaceId?: string;
  /** Made when there is none of the name; default `default`. */
  workspaceName?: string;
  /** A local git repository, or null. */
  repository: string | null;
  goal: string;
  /** A space that is there already, in the workspace of the id given; default: a new one. */
  spaceId?: string;
  /** Local files that go along with the goal. */
  files?: readonly FileToAttach[];
  /** Default `orchestrate`. */
  mode?: Mode;
  signal?: AbortSignal | undefined;
  /** Base of the idempotency keys of every write; the same key again goes on with the same job. Default: a new one. */
  key?: string;
}

export interface MainJobResult extends JobTarget {
  end: JobEnd;
  orchestration: OrchestrationDetail | null;
  steps: StepView[];
  /** The run that the goal's message woke. */
  run: Run | null;
  /** The newest run of the conversation: another one when decisions woke the agent again. */
  lastRun: Run | null;
  /** What was said in the conversation since the goal. */
  messages: Message[];
  diff: BranchFacts | null;
  /** What a person must decide before the job can go on. */
  waitsFor: WaitingItem[];
  /** Actions that were refused because nobody was there; each can still be allowed. */
  unattended: Approval[];
}

/**
 * The main job, whole: a goal in, a proposal decided, its work followed, the deliverable and its branch out. It outlives a
 * server that dies and comes back within the client's patience.
 * @throws Fault, CommandError, the signal's reason
 */
export async function runMainJob(client: Client, options: MainJobOptions): Promise<MainJobResult> {
  const key = options.key ?? `job/${randomUUID()}`;
  const { goal, repository, workspaceId, spaceId, signal } = options;
  const { workspaceName = 'default', mode = 'orchestrate', files = [] } = options;
  // Of a space that is there already, what happened in it before is no part of this job.
  const afterSeq = workspaceId && spaceId ? await lastSeq(client.send, workspaceId) : 0;
  const place = { ...(workspaceId ? { workspaceId } : {}), ...(spaceId ? { spaceId } : {}) };
  const target = await startJob(client, {
    workspaceName,
    repository,
    goal,
    files,
    mode,
    key,
    signal,
    ...place,
  });
  return followMainJob(client, target, { ...options, key, afterSeq });
}

export interface FollowMainJob extends JobHandlers {
  key: string;
  signal?: AbortSignal | undefined;
  /** Events after this one are told; null for those from now on. */
  afterSeq: number | null;
}

/** The second half: a job that is under way, followed to its end. */
export async function followMainJob(
  client: Client,
  target: JobTarget,
  options: FollowMainJob,
): Promise<MainJobResult> {
  options.onProgress?.({ type: 'started', ...target });
  const signal = options.signal ?? new AbortController().signal;
  const afterSeq = options.afterSeq ?? (await lastSeq(client.send, target.workspaceId));
  const { end, state } = await followJob(client, {
    target,
    afterSeq,
    handlers: options,
    signal,
    key: options.key,
  });
  const { orchestration, run } = state;
  const messages = await client.messages(target.workspaceId, target.conversationId);
  const goalAt = messages.findIndex((message) => message.id === target.messageId);
  return {
    ...target,
    orchestrationId: orchestration?.id ?? null,
    end,
    orchestration,
    steps: orchestration?.steps ?? [],
    run,
    lastRun: lastRun(state.runs),
    messages: messages.slice(goalAt + 1),
    diff: await diffOf(client, target, orchestration?.branch ?? run?.branch ?? null),
    waitsFor: waitingItems(state),
    unattended: await unattendedOf(client, target, state),
  };
}

async function unattendedOf(client: Client, target: JobTarget, state: JobState): Promise<Approval[]> {
  const unattended = await client.approvals(target.workspaceId, { status: 'unattended' });
  return unattended.filter(belongsTo(target, state.orchestration, state.run?.id ?? null));
}

async function diffOf(client: Client, target: JobTarget, branch: string | null): Promise<BranchFacts | null> {
  if (branch === null) return null;
  const { repositories } = await client.space(target.workspaceId, target.spaceId);
  return repositories[0] ? branchFacts(repositories[0].path, branch) : null;
}
