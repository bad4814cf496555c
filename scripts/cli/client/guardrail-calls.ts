import type { Mode } from '../../../core-wasm/core.ts';
import { unwrap } from '../../../services/kit/peer.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import type { AuditEntry } from '../../../services/spaces/audit/audit.ts';
import type { NewRule } from '../../../services/spaces/guardrails/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import { allPages, type Page } from './all-pages.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** A command line, or a call of a tool. */
export type PolicyQuestion = { command: string } | { tool: string; input: Record<string, unknown> };

interface PolicyGround {
  mode?: Mode;
  agentId?: string;
  spaceId?: string;
}

/** What agents may do, who decided what, and what waits to be decided. */
export function guardrailCalls(send: Send) {
  const ws = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  const { guardrails, inbox } = ws;
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
    ...policyCalls(send),
    ...auditCalls(send),
  };
}

function policyCalls(send: Send) {
  const { policy, honesty } = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  return {
    explainPolicy: (workspaceId: string, question: PolicyQuestion & PolicyGround) =>
      unwrap(policy.explain.$post({ param: { workspaceId }, json: question })),
    honesty: (workspaceId: string) => unwrap(honesty.$get({ param: { workspaceId } })),
  };
}

/** The route answers in two formats, which the typed client cannot tell apart. */
function auditCalls(send: Send) {
  const { audit } = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  return {
    audit: async (workspaceId: string, query: { after: number; limit: number }) => {
      const page = await unwrap(audit.$get({ param: { workspaceId }, query: texts(query) }));
      return page as Page<AuditEntry>;
    },
    /** Everything, an entry a line. */
    auditLines: async (workspaceId: string) =>
      (await audit.$get({ param: { workspaceId }, query: { format: 'ndjson' } })).body,
  };
}

function texts(query: { after: number; limit: number }) {
  return { after: String(query.after), limit: String(query.limit) };
}

/** What waits for a person, with the names that belong to it; as it comes over the wire. */
export type InboxEntry = Awaited<ReturnType<ReturnType<typeof guardrailCalls>['inbox']>>['items'][number];
