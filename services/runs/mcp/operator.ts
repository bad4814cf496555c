import type { Autonomy, Mode, RuleScope } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { WhenNobody } from '../peers/spaces-port.ts';
import type { RunStatus } from '../runs/schema.ts';

type Json = Record<string, unknown>;

/** A page of a list; `next` is passed as `after` for the one that follows. */
interface Page {
  items: Json[];
  next: string | null;
}

interface Paging {
  after?: string | undefined;
  limit?: number | undefined;
}

export const APPROVAL_STATUSES = ['pending', 'unattended', 'approved', 'refused', 'superseded'] as const;
export const ORCHESTRATION_STATUSES = [
  ...(['proposed', 'approved', 'executing', 'synthesizing'] as const),
  ...(['completed', 'failed', 'cancelled'] as const),
] as const;

interface ApprovalQuery extends Paging {
  status?: (typeof APPROVAL_STATUSES)[number] | undefined;
  runId?: string | undefined;
}

interface RunQuery extends Paging {
  status?: RunStatus | undefined;
  conversationId?: string | undefined;
  agentId?: string | undefined;
}

interface OrchestrationQuery extends Paging {
  status?: (typeof ORCHESTRATION_STATUSES)[number] | undefined;
}

interface Decision {
  decision: 'approved' | 'refused' | 'changesRequested';
  digest?: string | undefined;
  reason?: string | undefined;
  answer?: string | undefined;
  grant?: 'once' | 'run' | 'rule' | undefined;
  ruleScope?: RuleScope | undefined;
}

interface NewSpace {
  name: string;
  mode?: Mode | undefined;
  autonomy?: Autonomy | undefined;
  whenNobody?: WhenNobody | undefined;
  repositories?: { name: string; path: string }[] | undefined;
  agents?: string[] | undefined;
  parentSpaceId?: string | undefined;
  key?: string | undefined;
}

interface NewMessage {
  body: string;
  key?: string | undefined;
}

interface PolicyQuestion {
  command?: string | undefined;
  tool?: string | undefined;
  input?: Json | undefined;
  mode?: Mode | undefined;
  agentId?: string | undefined;
  spaceId?: string | undefined;
}

/**
 * What a person can do in one workspace, each time in that person's own name and through the routes that everybody uses:
 * whatever they refuse that person is refused here. Rejects with their Fault.
 */
export interface Operator {
  /** Everything that waits for a decision, newest first. */
  inbox(limit: number): Promise<Json>;
  approvals(query: ApprovalQuery): Promise<Page>;
  approval(id: string): Promise<Json & { kind: string; arguments: Json }>;
  decide(id: string, decision: Decision): Promise<Json>;
  agents(): Promise<{ id: string; name: string }[]>;
  spaces(query: Paging): Promise<Page>;
  space(id: string): Promise<Json & { mainConversationId: string }>;
  createSpace(space: NewSpace): Promise<Json>;
  postMessage(conversationId: string, message: NewMessage): Promise<Json>;
  runs(query: RunQuery): Promise<Page>;
  run(id: string): Promise<Json>;
  cancelRun(id: string): Promise<Json>;
  orchestrations(query: OrchestrationQuery): Promise<Page>;
  explainPolicy(question: PolicyQuestion): Promise<Json>;
}

export type OperatorOf = (actor: Actor, workspaceId: string) => Operator;
