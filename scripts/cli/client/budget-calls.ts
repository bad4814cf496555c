import { unwrap } from '../../../services/kit/peer.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** What may be spent, and what is. */
export function budgetCalls(send: Send) {
  const { budgets } = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  return {
    budgets: async (workspaceId: string) => (await unwrap(budgets.$get({ param: { workspaceId } }))).items,
    /** Null takes the cap away. */
    setBudget: (workspaceId: string, target: string, capMicros: number | null, key: string) =>
      unwrap(budgets[':target'].$put({ param: { workspaceId, target }, json: { capMicros } }, keyed(key))),
  };
}
