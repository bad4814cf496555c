import { unwrap } from '../../../services/kit/peer.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import type { NewDecision } from '../../../services/spaces/approvals/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import type { NewSpace, SpaceChange } from '../../../services/spaces/spaces/schema.ts';
import type { FileToAttach } from '../files-to-attach.ts';
import { activityCalls } from './activity-calls.ts';
import { allPages } from './all-pages.ts';
import { budgetCalls } from './budget-calls.ts';
import { checkpointCalls } from './checkpoint-calls.ts';
import { guardrailCalls } from './guardrail-calls.ts';
import { memberCalls } from './member-calls.ts';
import { orchestrationCalls } from './orchestration-calls.ts';
import { keyed, overSend } from './over-send.ts';
import { reviewCalls } from './review-calls.ts';
import { runControlCalls } from './run-control-calls.ts';
import { createSend, type Send, type SendOptions, urlOf } from './send.ts';
import { ticketCalls } from './ticket-calls.ts';

/**
 * The calls that `cctl` makes, for the holder of the token. All reject with a Fault or a CommandError. Every write takes
 * a key: creates have it as a column of what they make, and any other is a compare-and-set that loses the second time.
 */
export type Client = ReturnType<typeof createClient>;
/** As it comes over the wire. */
export type Approval = Awaited<ReturnType<Client['approval']>>;
export type RunEntry = Awaited<ReturnType<Client['runEntries']>>[number];

export function createClient(options: SendOptions) {
  const send = createSend(options);
  return {
    send,
    get url() {
      return urlOf(options);
    },
    ...spacesCalls(send),
    ...memberCalls(send),
    ...approvalCalls(send),
    ...guardrailCalls(send),
    ...runsCalls(send),
    ...budgetCalls(send),
    ...activityCalls(send),
    ...runControlCalls(send),
    ...checkpointCalls(send),
    ...reviewCalls(send),
    ...ticketCalls(send),
    ...orchestrationCalls(send),
  };
}

function spacesCalls(send: Send) {
  const { api } = overSend<SpacesApp>(send);
  const ws = api.workspaces[':workspaceId'];
  return {
    me: () => unwrap(api.me.$get()),
    workspaces: () => allPages((query) => unwrap(api.workspaces.$get({ query }))),
    workspace: (workspaceId: string) => unwrap(ws.$get({ param: { workspaceId } })),
    createWorkspace: (name: string, key: string) =>
      unwrap(api.workspaces.$post({ json: { name, key } }, keyed(key))),
    agents: (workspaceId: string) =>
      allPages((query) => unwrap(ws.agents.$get({ param: { workspaceId }, query }))),
    createSpace: (workspaceId: string, space: Partial<NewSpace> & { name: string }, key: string) =>
      unwrap(ws.spaces.$post({ param: { workspaceId }, json: { ...space, key } }, keyed(key))),
    spaces: (workspaceId: string) =>
      allPages((query) => unwrap(ws.spaces.$get({ param: { workspaceId }, query }))),
    space: (workspaceId: string, id: string) => unwrap(ws.spaces[':id'].$get({ param: { workspaceId, id } })),
    changeSpace: (workspaceId: string, id: string, json: SpaceChange, key: string) =>
      unwrap(ws.spaces[':id'].$patch({ param: { workspaceId, id }, json }, keyed(key))),
    attach: (workspaceId: string, id: string, file: FileToAttach, key: string) =>
      unwrap(
        ws.conversations[':id'].attachments.$post(
          { param: { workspaceId, id }, json: { ...file, key } },
          keyed(key),
        ),
      ),
    postMessage: (
      workspaceId: string,
      id: string,
      body: string,
      key: string,
      attachments: readonly string[] = [],
    ) => {
      const attached = attachments.length > 0 && { attachments: [...attachments] };
      const json = { body, key, ...attached };
      return unwrap(ws.conversations[':id'].messages.$post({ param: { workspaceId, id }, json }, keyed(key)));
    },
    messages: (workspaceId: string, id: string) =>
      allPages((query) =>
        unwrap(ws.conversations[':id'].messages.$get({ param: { workspaceId, id }, query })),
      ),
  };
}

function approvalCalls(send: Send) {
  const { approvals } = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  return {
    approvals: (workspaceId: string, filter: { status?: 'pending' | 'unattended'; runId?: string }) =>
      allPages((page) => unwrap(approvals.$get({ param: { workspaceId }, query: { ...filter, ...page } }))),
    approval: (workspaceId: string, id: string) =>
      unwrap(approvals[':id'].$get({ param: { workspaceId, id } })),
    decide: (workspaceId: string, id: string, json: NewDecision, key: string) =>
      unwrap(approvals[':id'].decision.$post({ param: { workspaceId, id }, json }, keyed(key))),
  };
}

function runsCalls(send: Send) {
  const { runs, models } = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  return {
    models: (workspaceId: string) => unwrap(models.$get({ param: { workspaceId } })),
    runs: (workspaceId: string, filter: { conversationId?: string; status?: 'paused' }) =>
      allPages((page) => unwrap(runs.$get({ param: { workspaceId }, query: { ...filter, ...page } }))),
    run: (workspaceId: string, id: string) => unwrap(runs[':id'].$get({ param: { workspaceId, id } })),
    runEntries: (workspaceId: string, id: string) =>
      allPages((query) => unwrap(runs[':id'].entries.$get({ param: { workspaceId, id }, query }))),
    resumeRun: (workspaceId: string, id: string, key: string) =>
      unwrap(runs[':id'].resume.$post({ param: { workspaceId, id } }, keyed(key))),
    cancelRun: (workspaceId: string, id: string, key: string) =>
      unwrap(runs[':id'].cancel.$post({ param: { workspaceId, id } }, keyed(key))),
  };
}
