import type { Bench } from '../bench.ts';
import { pursue } from './advance.ts';
import { retryStep, skipStep } from './amend-step.ts';
import { raiseBudget } from './budget.ts';
import { approve, cancel, reject, requestChanges } from './decide.ts';
import { approveDeferred } from './deferred.ts';
import { detailOf } from './detail.ts';
import { revise, rollBack } from './edit.ts';
import { estimateBasis } from './estimate-basis.ts';
import { type Orchestration, orchestrationOf } from './orchestration.ts';
import { propose } from './propose.ts';
import { revisionOf } from './revision-rules.ts';
import type { OrchestrationDesk } from './routes.ts';
import { withSpending } from './spending.ts';

/** What the routes call; whatever a change sets going is pursued in the background. */
export function createDesk(bench: Bench): OrchestrationDesk {
  const { store } = bench;
  const after = async (workspaceId: string, id: string, change: Promise<void>): Promise<Orchestration> => {
    await change;
    pursue(bench, workspaceId, id);
    const row = await store.get(workspaceId, id);
    const [spent = row] = await withSpending(bench, workspaceId, [row]);
    return orchestrationOf(spent);
  };
  return {
    propose: async (ws, actor, input) => orchestrationOf(await propose(bench, ws, actor, input)),
    revise: async (ws, actor, id, input) => orchestrationOf(await revise(bench, ws, actor, id, input)),
    rollback: async (ws, actor, id, input) => orchestrationOf(await rollBack(bench, ws, actor, id, input)),
    async list(ws, query) {
      const rows = await store.list(ws, { ...query, limit: query.limit + 1 });
      const shown = await withSpending(bench, ws, rows.slice(0, query.limit));
      const items = shown.map(orchestrationOf);
      return { items, next: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null };
    },
    detail: (ws, id) => detailOf(bench, ws, id),
    async revisions(ws, id) {
      await store.get(ws, id);
      const rows = await bench.revisions.list(ws, id);
      return { items: rows.map(({ key, ...revision }) => revision), next: null };
    },
    async revision(ws, id, revision) {
      await store.get(ws, id);
      const { key, ...found } = await bench.revisions.get(ws, id, revisionOf(id, revision));
      return found;
    },
    async estimateBasis(ws, id) {
      const row = await store.get(ws, id);
      const proposal = await bench.revisions.proposal(ws, id, row.approvedRevision ?? row.revision);
      return estimateBasis(bench, ws, row, proposal);
    },
    approve: (ws, actor, id, input) => after(ws, id, approve(bench, ws, actor, id, input)),
    approveDeferred: (ws, actor, id, tickets) =>
      after(ws, id, approveDeferred(bench, ws, actor, id, tickets)),
    reject: (ws, actor, id, reason) => after(ws, id, reject(bench, ws, actor, id, reason)),
    requestChanges: (ws, actor, id, input) => after(ws, id, requestChanges(bench, ws, actor, id, input)),
    cancel: (ws, actor, id) => after(ws, id, cancel(bench, ws, actor, id)),
    raiseBudget: (ws, actor, id, capMicros) => after(ws, id, raiseBudget(bench, ws, actor, id, capMicros)),
    async retryStep(ws, actor, id, key) {
      await retryStep(bench, ws, actor, id, key);
      return detailOf(bench, ws, id);
    },
    async skipStep(ws, actor, id, key) {
      await skipStep(bench, ws, actor, id, key);
      return detailOf(bench, ws, id);
    },
  };
}
