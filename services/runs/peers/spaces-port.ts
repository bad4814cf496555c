import type { Autonomy, GuardrailRule, Mode } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { RepositoryRef } from '../../runner/runner.ts';

export interface AgentFacts {
  id: string;
  name: string;
  title: string;
  persona: string;
  systemPrompt: string | null;
  skills: string[];
  modelId: string | null;
  effort: string | null;
  contextSize: number | null;
  silenceTimeoutMinutes: number | null;
  /** Model answers that a run of it may take. */
  maxTurns: number | null;
}

interface SpaceFacts {
  id: string;
  name: string;
  mode: Mode;
  repositories: RepositoryRef[];
  agents: string[];
}

export interface ConversationFacts {
  id: string;
  title: string;
  kind: 'main' | 'thread';
  space: SpaceFacts;
}

/** As a message shows it; `size` in bytes. */
export interface AttachedFile {
  id: string;
  name: string;
  mediaType: string;
  size: number;
}

export interface AttachmentFacts extends AttachedFile {
  conversationId: string;
  /** Null while nobody has sent it. */
  messageId: string | null;
}

export interface MessageFacts {
  id: string;
  author: Actor;
  kind: string;
  body: string;
  /** Of a run's message: `runId`. */
  data: Record<string, unknown>;
  attachments: AttachedFile[];
  createdAt: number;
}

export interface NewMessage {
  kind: 'text' | 'question' | 'approval' | 'notice';
  body: string;
  data: Record<string, unknown>;
  /** Ids of the agents that a person's text wakes, in place of those it addresses. */
  wake?: string[];
  key: string;
}

/** Whether an action that needs a word is refused or waits while nobody who may decide is connected. */
export type WhenNobody = 'refuse' | 'wait';

/** What holds for the calls of an agent in a space at this moment. */
export interface GuardrailFacts {
  mode: Mode;
  autonomy: Autonomy;
  whenNobody: WhenNobody;
  /** Of the workspace, of the agent, of the space. */
  rules: GuardrailRule[];
}

export interface ApprovalFacts {
  id: string;
  kind: string;
  /** `unattended`: an action that was refused because nobody who may decide was connected. */
  status: 'pending' | 'approved' | 'refused' | 'superseded' | 'unattended';
  arguments: Record<string, unknown>;
  decidedBy: Actor | null;
  decision: {
    reason?: string | undefined;
    answer?: string | undefined;
    changesRequested?: boolean | undefined;
  } | null;
}

export interface NewApproval {
  kind: 'question' | 'action';
  requester: Actor;
  subject: string;
  arguments: Record<string, unknown>;
  runId: string;
  /** The run at the root of the tree of sub-agents, where the approval shows. */
  rootRunId: string;
  spaceId: string | null;
  conversationId: string | null;
  /** For an action; `wait` unless told. */
  whenNobody?: WhenNobody;
  key: string;
}

/** What became of a request to leave plan mode. */
export interface PlanExit {
  state: 'pending' | 'left' | 'notInPlan';
  approvalId: string | null;
  /** Why the last request was refused, if one was. */
  reason: string | null;
}

export const TICKET_STATUSES = [
  ...(['backlog', 'open', 'inProgress', 'inReview'] as const),
  ...(['blocked', 'done', 'failed', 'cancelled'] as const),
] as const;
type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;
type TicketPriority = (typeof TICKET_PRIORITIES)[number];

export interface TicketFacts {
  id: string;
  number: number;
  title: string;
  description: string;
  status: TicketStatus;
  priority: TicketPriority;
  assignee: Actor | null;
  parentId: string | null;
  spaceId: string | null;
  projectId: string | null;
  labels: string[];
}

interface CommentFacts {
  id: string;
  author: Actor;
  body: string;
  createdAt: number;
}

/** Where an agent's run stands in the chain through which its work came. */
export interface Delegator {
  runId: string;
  /** The run with which it all began. */
  originRunId: string;
  conversationId: string | null;
  spaceId: string | null;
  /** The agents through whom it came, the run's own last. */
  agentIds: string[];
  /** How often it was delegated on the way. */
  depth: number;
  /** The tickets in whose runs it takes place. */
  ticketIds: string[];
}

/** One assignment of a ticket to an agent, which is one run. */
export interface DelegationFacts {
  number: number;
  agentId: string;
  delegatedBy: Actor;
  /** The run in which an agent delegated. */
  runId: string | null;
  /** The ticket's thread; null for a ticket of no space. */
  conversationId: string | null;
  fromConversationId: string | null;
  withdrawnAt: number | null;
  endedAt: number | null;
  outcome: DelegationOutcome | null;
  resultCommentId: string | null;
}

export type DelegationOutcome = 'completed' | 'failed' | 'cancelled';

export type WholeTicket = TicketFacts & { comments: CommentFacts[]; delegations: DelegationFacts[] };

interface DelegationEnd {
  outcome: DelegationOutcome;
  /** Its result, or why there is none. */
  body: string;
  runEndedAt: number;
}

interface TicketFilter {
  parentId?: string | undefined;
  projectId?: string | undefined;
  status?: TicketStatus | undefined;
  delegatedInRun?: string | undefined;
}

interface NewTicket {
  title: string;
  description: string;
  priority?: TicketPriority | undefined;
  assignee?: Actor | undefined;
  parentId?: string | undefined;
  projectId?: string | undefined;
  labels?: string[] | undefined;
  spaceId: string | null;
  /** An agent that assigns a ticket says from where. */
  delegator?: Delegator | undefined;
  key: string;
}

interface TicketChange {
  title?: string | undefined;
  description?: string | undefined;
  status?: TicketStatus | undefined;
  priority?: TicketPriority | undefined;
  assignee?: Actor | null | undefined;
  labels?: string[] | undefined;
  /** An agent that assigns a ticket says from where. */
  delegator?: Delegator | undefined;
}

/** A member, or somebody who was one. */
interface PersonFacts {
  id: string;
  name: string;
  isFormer: boolean;
}

/** Exactly what runs need of spaces. Every call rejects with a Fault: not_found for an id of another workspace. */
export interface SpacesPort {
  /** Whether the actor owns the workspaces of this installation. */
  isOwner(actor: Actor): Promise<boolean>;
  /** Everybody who is or was a member. */
  people(): Promise<PersonFacts[]>;
  agent(workspaceId: string, agentId: string): Promise<AgentFacts>;
  agents(workspaceId: string): Promise<AgentFacts[]>;
  space(workspaceId: string, spaceId: string): Promise<SpaceFacts>;
  conversation(workspaceId: string, conversationId: string): Promise<ConversationFacts>;
  message(workspaceId: string, messageId: string): Promise<MessageFacts>;
  /** The last `limit` messages, oldest first. */
  recentMessages(workspaceId: string, conversationId: string, limit: number): Promise<MessageFacts[]>;
  attachment(workspaceId: string, attachmentId: string): Promise<AttachmentFacts>;
  attachmentBytes(workspaceId: string, attachmentId: string): Promise<Uint8Array>;
  postMessage(
    actor: Actor,
    workspaceId: string,
    conversationId: string,
    message: NewMessage,
  ): Promise<{ id: string; notices: string[] }>;
  tickets(workspaceId: string, filter: TicketFilter): Promise<TicketFacts[]>;
  ticket(workspaceId: string, ticketId: string): Promise<WholeTicket>;
  createTicket(actor: Actor, workspaceId: string, ticket: NewTicket): Promise<TicketFacts>;
  updateTicket(
    actor: Actor,
    workspaceId: string,
    ticketId: string,
    change: TicketChange,
  ): Promise<TicketFacts>;
  commentTicket(
    actor: Actor,
    workspaceId: string,
    ticketId: string,
    comment: { body: string; key: string },
  ): Promise<void>;
  /** The run of a delegation has begun. */
  beginDelegation(workspaceId: string, ticketId: string, number: number): Promise<void>;
  /** How that run ended; the same again does nothing. */
  endDelegation(workspaceId: string, ticketId: string, number: number, end: DelegationEnd): Promise<void>;
  /** Without an agent or a space: what holds for any of them. */
  guardrails(
    workspaceId: string,
    of: { agentId: string | null; spaceId: string | null },
  ): Promise<GuardrailFacts>;
  /**
   * The same key again gives the same approval, with its decision once there is one; an action that a person has allowed
   * already, for its run or to be tried again, is given as approved.
   */
  requestApproval(actor: Actor, workspaceId: string, approval: NewApproval): Promise<ApprovalFacts>;
  approval(workspaceId: string, approvalId: string): Promise<ApprovalFacts>;
  /** Withdraws one request that nobody waits for. @throws Fault already_decided */
  supersede(workspaceId: string, approvalId: string): Promise<void>;
  /** Withdraws the questions and action requests that a run left open; with `planExit` also its request to leave plan mode. */
  supersedeOfRun(workspaceId: string, runId: string, also?: { planExit: boolean }): Promise<void>;
  /** Asks people to let the space leave plan mode, or leaves it once they have. */
  leavePlanMode(
    actor: Actor,
    workspaceId: string,
    spaceId: string,
    request: { runId: string; rootRunId: string; conversationId: string; summary: string },
  ): Promise<PlanExit>;
}
