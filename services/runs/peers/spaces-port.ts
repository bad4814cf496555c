import type { Mode } from '../../../core-wasm/core.ts';
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

export interface MessageFacts {
  id: string;
  author: Actor;
  kind: string;
  body: string;
  createdAt: number;
}

export interface NewMessage {
  kind: 'text' | 'question' | 'notice';
  body: string;
  data: Record<string, unknown>;
  key: string;
}

export interface ApprovalFacts {
  id: string;
  kind: string;
  status: 'pending' | 'approved' | 'refused' | 'superseded';
  decidedBy: Actor | null;
  decision: { reason?: string | undefined; answer?: string | undefined } | null;
}

export interface NewApproval {
  kind: 'question' | 'action';
  requester: Actor;
  subject: string;
  arguments: Record<string, unknown>;
  runId: string;
  spaceId: string | null;
  conversationId: string | null;
  key: string;
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
  projectId: string | null;
  labels: string[];
}

interface CommentFacts {
  author: Actor;
  body: string;
  createdAt: number;
}

interface TicketFilter {
  parentId?: string | undefined;
  projectId?: string | undefined;
  status?: TicketStatus | undefined;
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
  key: string;
}

interface TicketChange {
  title?: string | undefined;
  description?: string | undefined;
  status?: TicketStatus | undefined;
  priority?: TicketPriority | undefined;
  assignee?: Actor | null | undefined;
  labels?: string[] | undefined;
}

/** Exactly what runs need of spaces. Every call rejects with a Fault: not_found for an id of another workspace. */
export interface SpacesPort {
  agent(workspaceId: string, agentId: string): Promise<AgentFacts>;
  agents(workspaceId: string): Promise<AgentFacts[]>;
  space(workspaceId: string, spaceId: string): Promise<SpaceFacts>;
  conversation(workspaceId: string, conversationId: string): Promise<ConversationFacts>;
  /** The last `limit` messages, oldest first. */
  recentMessages(workspaceId: string, conversationId: string, limit: number): Promise<MessageFacts[]>;
  postMessage(
    actor: Actor,
    workspaceId: string,
    conversationId: string,
    message: NewMessage,
  ): Promise<{ id: string; notices: string[] }>;
  tickets(workspaceId: string, filter: TicketFilter): Promise<TicketFacts[]>;
  ticket(workspaceId: string, ticketId: string): Promise<TicketFacts & { comments: CommentFacts[] }>;
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
  /** The same key again gives the same approval, with its decision once there is one. */
  requestApproval(actor: Actor, workspaceId: string, approval: NewApproval): Promise<ApprovalFacts>;
  approval(workspaceId: string, approvalId: string): Promise<ApprovalFacts>;
  /** Withdraws the questions and action requests that a run left open. */
  supersedeOfRun(workspaceId: string, runId: string): Promise<void>;
}
