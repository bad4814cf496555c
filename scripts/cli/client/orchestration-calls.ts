import { unwrap } from '../../../services/kit/peer.ts';
import type { OrchestrationApp } from '../../../services/orchestration/service.ts';
import { allPages } from './all-pages.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** Proposals of teams, and plans, which are orchestrations of one role. */
export function orchestrationCalls(send: Send) {
  const { orchestrations } = overSend<OrchestrationApp>(send).api.workspaces[':workspaceId'];
  const one = orchestrations[':id'];
  return {
    orchestrations: (workspaceId: string) =>
      allPages((query) => unwrap(orchestrations.$get({ param: { workspaceId }, query }))),
    orchestration: (workspaceId: string, id: string) => unwrap(one.$get({ param: { workspaceId, id } })),
    revise: (
      workspaceId: string,
      id: string,
      body: { baseRevision: number; proposal: unknown },
      key: string,
    ) => unwrap(one.revisions.$post({ param: { workspaceId, id }, json: { ...body, key } }, keyed(key))),
    approve: (workspaceId: string, id: string, json: { revision: number; tickets?: string[] }, key: string) =>
      unwrap(one.approve.$post({ param: { workspaceId, id }, json }, keyed(key))),
    approveDeferred: (workspaceId: string, id: string, tickets: string[], key: string) =>
      unwrap(one['approve-deferred'].$post({ param: { workspaceId, id }, json: { tickets } }, keyed(key))),
    reject: (workspaceId: string, id: string, reason: string, key: string) =>
      unwrap(one.reject.$post({ param: { workspaceId, id }, json: { reason } }, keyed(key))),
    requestChanges: (
      workspaceId: string,
      id: string,
      json: { reason: string; revision?: number },
      key: string,
    ) => unwrap(one['request-changes'].$post({ param: { workspaceId, id }, json }, keyed(key))),
    cancel: (workspaceId: string, id: string, key: string) =>
      unwrap(one.cancel.$post({ param: { workspaceId, id } }, keyed(key))),
    ...planCalls(send),
    ...stepCalls(send),
  };
}

function planCalls(send: Send) {
  const { plans } = overSend<OrchestrationApp>(send).api.workspaces[':workspaceId'];
  return {
    plans: (workspaceId: string) =>
      allPages((query) => unwrap(plans.$get({ param: { workspaceId }, query }))),
    plan: (workspaceId: string, id: string) => unwrap(plans[':id'].$get({ param: { workspaceId, id } })),
  };
}

function stepCalls(send: Send) {
  const { orchestrations } = overSend<OrchestrationApp>(send).api.workspaces[':workspaceId'];
  const one = orchestrations[':id'].steps[':key{.+}'];
  return {
    retryStep: (workspaceId: string, id: string, step: string, key: string) =>
      unwrap(one.retry.$post({ param: { workspaceId, id, key: step } }, keyed(key))),
    skipStep: (workspaceId: string, id: string, step: string, key: string) =>
      unwrap(one.skip.$post({ param: { workspaceId, id, key: step } }, keyed(key))),
  };
}
