import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import { useConnection } from '../live/connection.ts';
import { createDraft, type Draft, type DraftActions, draftActions } from './draft.ts';
import { keepDraft } from './draft-keeping.ts';
import { DraftSaver } from './draft-saver.ts';
import { loadRules } from './estimates.ts';
import { plans } from './plan-screen-data.ts';

/** The edits on a plan and what works on them. */
export interface DeskTools {
  draft: Draft;
  actions: DraftActions;
  saver: DraftSaver;
  /** Takes note of what the server says now. */
  arrive(detail: OrchestrationDetail): void;
}

const tools = new Map<string, DeskTools>();

/**
 * One set of tools for each plan as long as the page lives: whoever leaves while a save is on its way and comes back finds
 * their edits and goes on, undo included.
 */
export function toolsOf(ws: string, detail: OrchestrationDetail): DeskTools {
  const present = tools.get(detail.id);
  present?.arrive(detail);
  const made = present ?? makeTools(ws, detail);
  tools.set(detail.id, made);
  return made;
}

function makeTools(ws: string, detail: OrchestrationDetail): DeskTools {
  const draft = createDraft({ revision: detail.revision, proposal: detail.proposal });
  const saver = new DraftSaver(draft, {
    validate: async (proposal) => (await loadRules()).validateProposal(proposal),
    append: async (baseRevision, proposal, key) =>
      (await plans.revise(ws, detail.id, { baseRevision, proposal, key })).revision,
    rollBack: async (baseRevision, to, key) =>
      (await plans.rollBack(ws, detail.id, { baseRevision, to, key })).revision,
    newest: () => plans.detail(ws, detail.id),
    newKey: () => crypto.randomUUID(),
  });
  let latest = detail;
  const arrive = (now: OrchestrationDetail) => {
    latest = now;
    const newest = { revision: now.approvedRevision ?? now.revision, proposal: now.proposal };
    saver.arrive(newest, now.status === 'proposed' ? 'stale' : 'closed');
  };
  keepDraft(draft, detail.id, () => {
    arrive(latest);
    saver.schedule();
  });
  saveWhenDue(draft, saver);
  return { draft, saver, actions: draftActions(draft, () => saver.schedule()), arrive };
}

/** Edits that have not rested yet are saved when the tab is hidden; what failed, on the next connection. */
function saveWhenDue(draft: Draft, saver: DraftSaver): void {
  useConnection.subscribe(({ state }) => {
    if (state === 'open' && draft.getState().save === 'failed') void saver.flush();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void saver.flush();
  });
}
