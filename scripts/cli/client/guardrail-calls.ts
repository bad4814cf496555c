import type { Autonomy, GuardrailRule, Mode, RuleAction, RuleScope } from '../../../core-wasm/core.ts';
import type { Explanation } from '../guardrails/explanation.ts';
import { allPages, type Page } from './all-pages.ts';
import type { Approval } from './client.ts';
import { jsonCalls, queryText, workspacePath } from './json-calls.ts';
import type { Send } from './send.ts';

/** What waits for a person, with the names that belong to it. */
export type InboxEntry = Approval & { agentName: string | null; spaceName: string | null; ageMs: number };

export interface Inbox {
  items: InboxEntry[];
  /** All that waits, also beyond the items. */
  count: number;
  /** The event that the list is true for. */
  seq: number;
}

/** What holds for a call now. */
export interface Guardrails {
  mode: Mode;
  autonomy: Autonomy;
  whenNobody: 'refuse' | 'wait';
  rules: GuardrailRule[];
}

export interface NewRule {
  scope: RuleScope;
  scopeId: string | null;
  effect: string;
  action: RuleAction;
}

export type PolicyQuestion = ({ command: string } | { tool: string; input: unknown }) & {
  mode?: Mode;
  agentId?: string;
  spaceId?: string;
};

export interface AuditItem {
  seq: number;
  at: number;
  actor: string;
  action: string;
  subject: string;
  data: Record<string, unknown>;
  source: { via: string; address?: string | null; agent?: string | null } | null;
}

export function guardrailCalls(send: Send) {
  const { get, write } = jsonCalls(send);
  const rulesPath = (workspaceId: string) => workspacePath(workspaceId, 'guardrails', 'rules');
  return {
    inbox: (workspaceId: string) => get<Inbox>(workspacePath(workspaceId, 'inbox')),
    guardrails: (workspaceId: string, query: { agentId?: string; spaceId?: string }) =>
      get<Guardrails>(workspacePath(workspaceId, 'guardrails') + queryText(query)),
    rules: (workspaceId: string) =>
      allPages((page) => get<Page<GuardrailRule>>(rulesPath(workspaceId) + queryText(page))),
    setRule: (workspaceId: string, rule: NewRule, key: string) =>
      write<GuardrailRule>('PUT', rulesPath(workspaceId), rule, key),
    removeRule: (workspaceId: string, id: string, key: string) =>
      write<GuardrailRule>('DELETE', `${rulesPath(workspaceId)}/${encodeURIComponent(id)}`, undefined, key),
    explainPolicy: (workspaceId: string, question: PolicyQuestion) =>
      write<Explanation>('POST', workspacePath(workspaceId, 'policy', 'explain'), question, 'explain'),
    audit: (workspaceId: string, after: number, limit: number) =>
      get<{ items: AuditItem[]; next: string | number | null }>(
        workspacePath(workspaceId, 'audit') + queryText({ after, limit }),
      ),
    auditExport: (workspaceId: string) => send(`${workspacePath(workspaceId, 'audit')}?format=ndjson`),
    honesty: (workspaceId: string) => get<unknown>(workspacePath(workspaceId, 'honesty')),
  };
}
