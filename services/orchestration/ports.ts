import type { Mode, RoleHistory } from '../../core-wasm/core.ts';
import type { Actor } from '../kit/actor.ts';
import type { StepRun } from './orchestrations/orchestration.ts';
import type { Tokens } from './orchestrations/schema.ts';

/** How the tree of an unfinished run stands: see `StepRun`, which is shown of it. */
export interface RunStanding extends Omit<StepRun, 'id'> {
  runId: string;
  /** Of the whole tree so far; null when a part is unknown. */
  costMicros: number | null;
  tokens: Tokens;
}
export interface Spending {
  target: string;
  spentMicros: number;
  unknownCalls: number;
}

/** What this service needs of an agent. */
export interface AgentFacts {
  id: string;
  name: string;
}
interface RepositoryLink {
  name: string;
  path: string;
}
export interface SpaceFacts {
  id: string;
  name: string;
  mode: Mode;
  repositories: RepositoryLink[];
  /** Ids of the agents that a message to it wakes. */
  agents: string[];
  mainConversationId: string;
  version: number;
}
interface ConversationFacts {
  id: string;
  spaceId: string;
  title: string;
}
type MessageKind = 'text' | 'proposal' | 'plan' | 'question' | 'deliverable' | 'position' | 'notice';
export type TicketStatus =
  | 'backlog'
  | 'open'
  | 'inProgress'
  | 'inReview'
  | 'blocked'
  | 'done'
  | 'failed'
  | 'cancelled';
export interface TicketFacts {
  id: string;
  number: number;
  status: TicketStatus;
  title: string;
}
export interface ApprovalFacts {
  id: string;
  kind: string;
  status: 'pending' | 'approved' | 'refused' | 'superseded' | 'unattended';
  digest: string;
  arguments: Record<string, unknown>;
  decidedBy: Actor | null;
  decision: {
    reason?: string | undefined;
    answer?: string | undefined;
    changesRequested?: boolean | undefined;
  } | null;
}
interface NewTicket {
  key: string;
  title: string;
  description: string;
  status: TicketStatus;
  assignee: Actor | null;
  parentId: string | null;
  spaceId: string | null;
  projectId: string | null;
  provenance: { kind: 'hand' | 'pipelineStep' | 'delegation' | 'sync' | 'recovery'; id: string | null };
}
interface NewApproval {
  key: string;
  kind: 'orchestration' | 'question';
  requester: Actor;
  subject: string;
  arguments: Record<string, unknown>;
  runId: string | null;
  spaceId: string;
  conversationId: string;
}

/** The people's side of one workspace. Creates are idempotent by `key`; a call acts as this service unless it says for whom. */
export interface SpacesPort {
  listAgents(): Promise<AgentFacts[]>;
  hireAgent(input: {
    key: string;
    name: string;
    title: string;
    persona: string;
    skills: string[];
  }): Promise<AgentFacts>;
  getSpace(id: string): Promise<SpaceFacts>;
  createSpace(input: {
    key: string;
    name: string;
    mode: Mode;
    repositories: RepositoryLink[];
    agents: string[];
    parentSpaceId: string;
  }): Promise<SpaceFacts>;
  /** Changes the mode if the space is still at this version. @throws Fault conflict */
  setSpaceMode(id: string, input: { mode: Mode; version: number }): Promise<void>;
  createConversation(spaceId: string, input: { key: string; title: string }): Promise<ConversationFacts>;
  getConversation(id: string): Promise<ConversationFacts>;
  postMessage(
    actor: Actor,
    conversationId: string,
    input: { key: string; kind: MessageKind; body: string; data: Record<string, unknown> },
  ): Promise<{ id: string }>;
  patchMessage(id: string, input: { body: string; data: Record<string, unknown> }): Promise<void>;
  createTicket(input: NewTicket): Promise<TicketFacts>;
  getTicket(id: string): Promise<TicketFacts>;
  listTickets(query: { parentId: string }): Promise<TicketFacts[]>;
  patchTicket(id: string, input: { status?: TicketStatus; projectId?: string }): Promise<void>;
  commentTicket(id: string, input: { key: string; body: string }): Promise<void>;
  createProject(input: { key: string; name: string; description: string }): Promise<{ id: string }>;
  createTeam(input: {
    key: string;
    name: string;
    members: Actor[];
    projectId: string;
  }): Promise<{ id: string }>;
  createApproval(input: NewApproval): Promise<ApprovalFacts>;
  getApproval(id: string): Promise<ApprovalFacts>;
  /** @throws Fault already_decided */
  decideApproval(
    person: Actor,
    id: string,
    input: {
      decision: 'approved' | 'refused' | 'changesRequested';
      digest: string;
      reason?: string;
      answer?: string;
    },
  ): Promise<ApprovalFacts>;
  /** A decided or already superseded approval stays as it is. */
  supersedeApproval(id: string): Promise<void>;
}

export interface RunFacts {
  id: string;
  status: string;
  errorFamily: string | null;
  budgetScope: string | null;
  /** Of a run that is paused for its budget: which one stopped it, as that of its agent or of the workspace. */
  budgetStop: { scope: string } | null;
}
export interface NewRun {
  key: string;
  agentId: string;
  conversationId: string;
  trigger: { kind: 'pipelineStep'; id: string };
  prompt: string;
  requestedBy: Actor | null;
  outputSchema: Record<string, unknown> | null;
  budgetScope: string;
  worktree: { base: string; merge: string[] } | null;
}
export interface Integration {
  branch: string;
  base: string;
  head: string;
  merged: string[];
  conflicts: { branch: string; files: string[] }[];
  stat: string;
}

/** The agents' side of one workspace. */
export interface RunsPort {
  createRun(input: NewRun): Promise<RunFacts>;
  getRun(id: string): Promise<RunFacts>;
  /** Of all runs of a budget that have not ended and are nobody's sub-agents. */
  standings(budgetScope: string): Promise<RunStanding[]>;
  /** What was paid out of these budgets; none for one out of which nothing was. */
  spendings(scopes: readonly string[]): Promise<Spending[]>;
  /** Every paused run of the workspace. */
  listPausedRuns(): Promise<RunFacts[]>;
  /** A run that is no longer paused stays as it is. */
  resumeRun(id: string): Promise<void>;
  cancelRuns(budgetScope: string): Promise<void>;
  /** Puts away the worktrees of the budget's conversations whose work is on another branch; others are kept. */
  closeWorktrees(budgetScope: string): Promise<void>;
  histories(agentIds: readonly string[]): Promise<Record<string, RoleHistory>>;
  putBudget(scope: string, capMicros: number): Promise<void>;
  inspectRepository(path: string): Promise<{ head: string; defaultBranch: string }>;
  /** Commits what a conversation's worktree still holds. `branch` is null without a worktree. */
  commitWorktree(input: {
    key: string;
    conversationId: string;
    message: string;
    agentId: string;
    requestedBy: Actor | null;
  }): Promise<{ branch: string | null }>;
  integrate(input: {
    key: string;
    spaceId: string;
    branch: string;
    base: string;
    merge: string[];
  }): Promise<Integration>;
}

export type SpacesOf = (workspaceId: string) => SpacesPort;
export type RunsOf = (workspaceId: string) => RunsPort;

/** What `run.ended` tells of a run. */
export interface RunEnd {
  status: string;
  errorFamily: string | null;
  summary: string | null;
  costMicros: number | null;
  tokens: Tokens;
  output: { text: string; value: unknown } | null;
}
