import type { Mode } from '../../../core-wasm/core.ts';
import { unwrap } from '../../../services/kit/peer.ts';
import type { AuditEntry } from '../../../services/spaces/audit/audit.ts';
import type { NewRule } from '../../../services/spaces/guardrails/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import type { Explanation } from '../guardrails/explanation.ts';
import { allPages, type Page } from './all-pages.ts';
import { jsonCalls, queryText, workspacePath } from './json-calls.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

export type PolicyQuestion = ({ command: string } | { tool: string; input: unknown }) & {
  mode?: Mode;
  agentId?: string;
  spaceId?: string;
};

/** What agents may do, who decided what, and what waits to be decided. */
export function guardrailCalls(send: Send) {
  const ws = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  const { guardrails, inbox } = ws;
  const { get, write } = jsonCalls(send);
  return {
    inbox: (workspaceId: string) => unwrap(inbox.$get({ param: { workspaceId }, query: {} })),
    guardrails: (workspaceId: string, query: { agentId?: string; spaceId?: string }) =>
      unwrap(guardrails.$get({ param: { workspaceId }, query })),
    rules: (workspaceId: string) =>
      allPages((query) => unwrap(guardrails.rules.$get({ param: { workspaceId }, query }))),
    setRule: (workspaceId: string, json: NewRule, key: string) =>
      unwrap(guardrails.rules.$put({ param: { workspaceId }, json }, keyed(key))),
    removeRule: (workspaceId: string, id: string, key: string) =>
      unwrap(guardrails.rules[':id'].$delete({ param: { workspaceId, id } }, keyed(key))),
    explainPolicy: (workspaceId: string, question: PolicyQuestion) =>
      write<Explanation>('POST', workspacePath(workspaceId, 'policy', 'explain'), question, 'explain'),
    // The route answers in two formats, which the typed client cannot tell apart.
    audit: (workspaceId: string, query: { after: number; limit: number }) =>
      get<Page<AuditEntry>>(workspacePath(workspaceId, 'audit') + queryText(query)),
    auditLines: (workspaceId: string) =>
      send(workspacePath(workspaceId, 'audit') + queryText({ format: 'ndjson' })),
    honesty: (workspaceId: string) => get<unknown>(workspacePath(workspaceId, 'honesty')),
  };
}

/** What waits for a person, with the names that belong to it; as it comes over the wire. */
export type InboxEntry = Awaited<ReturnType<ReturnType<typeof guardrailCalls>['inbox']>>['items'][number];
