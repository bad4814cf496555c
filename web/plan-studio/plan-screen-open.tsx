import { Suspense, useEffect, useMemo, useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { useConnection } from '../live/connection.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { Loading } from '../ui/states.tsx';
import { ApprovalBar } from './approval-bar.tsx';
import { ConflictNotice } from './conflict.tsx';
import { createDraft, draftActions } from './draft.ts';
import { keepDraft, keptDraft } from './draft-keeping.ts';
import { DraftSaver } from './draft-saver.ts';
import { loadRules } from './estimates.ts';
import css from './plan-screen.module.css';
import { DeskProvider, type PlanDesk } from './plan-screen-context.ts';
import { plans } from './plan-screen-data.ts';
import { PlanHeader } from './plan-screen-header.tsx';
import { PlanKeys } from './plan-screen-keys.tsx';
import { PlanMain } from './plan-screen-main.tsx';
import { PlanPanel } from './plan-screen-panel.tsx';
import { usePlanUrl } from './plan-screen-url.ts';

const PlanTalk = lazyPart('plan-screen-talk', () => import('./plan-screen-talk.tsx'));

const words = texts({ talk: 'Conversation', panel: 'Details' }, { talk: 'Conversation', panel: 'Détails' });

type Given = Pick<PlanDesk, 'ws' | 'detail' | 'basis' | 'core'>;

export function OpenPlan(given: Given) {
  const t = useText(words);
  const desk = usePlanDesk(given);
  const url = usePlanUrl();
  return (
    <DeskProvider value={desk}>
      <PlanKeys />
      <div className={css.frame}>
        <div className={css.screen}>
          <PlanHeader />
          <ConflictNotice />
          <div className={css.body} data-talk={url.hasTalk || undefined}>
            {url.hasTalk ? (
              <section className={css.talk} aria-label={t.talk}>
                <Suspense fallback={<Loading />}>
                  <PlanTalk />
                </Suspense>
              </section>
            ) : null}
            <PlanMain />
            <aside className={css.panel} tabIndex={-1} data-field="panel" aria-label={t.panel}>
              <PlanPanel />
            </aside>
          </div>
          <ApprovalBar />
        </div>
      </div>
    </DeskProvider>
  );
}

/** Draft, saver and actions live as long as the plan is open; what the server says flows into them. */
function usePlanDesk({ ws, detail, basis, core }: Given): PlanDesk {
  const [tools] = useState(() => {
    const draft = createDraft({ revision: detail.revision, proposal: detail.proposal }, keptDraft(detail.id));
    const saver = new DraftSaver(draft, {
      validate: async (proposal) => (await loadRules()).validateProposal(proposal),
      append: async (baseRevision, proposal, key) =>
        (await plans.revise(ws, detail.id, { baseRevision, proposal, key })).revision,
      rollBack: async (baseRevision, to, key) =>
        (await plans.rollBack(ws, detail.id, { baseRevision, to, key })).revision,
      newest: () => plans.detail(ws, detail.id),
      newKey: () => crypto.randomUUID(),
    });
    return { draft, saver, actions: draftActions(draft, () => saver.schedule()) };
  });
  useEffect(() => {
    const newest = { revision: detail.approvedRevision ?? detail.revision, proposal: detail.proposal };
    tools.saver.arrive(newest, detail.status === 'proposed' ? 'stale' : 'closed');
  }, [tools, detail]);
  useEffect(() => keepEdits(tools), [tools]);
  useEffect(() => keepDraft(tools.draft, detail.id), [tools, detail.id]);
  return useMemo(() => ({ ws, detail, basis, core, ...tools }), [ws, detail, basis, core, tools]);
}

/** Edits that have not rested yet are saved when the plan is closed or the tab is hidden; what failed, on the next connection. */
function keepEdits({ draft, saver }: Pick<PlanDesk, 'draft' | 'saver'>): () => void {
  if (draft.getState().save === 'unsaved') saver.schedule();
  const stop = useConnection.subscribe(({ state }) => {
    if (state === 'open' && draft.getState().save === 'failed') void saver.flush();
  });
  const onHide = () => {
    if (document.visibilityState === 'hidden') void saver.flush();
  };
  document.addEventListener('visibilitychange', onHide);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', onHide);
    void saver.flush();
  };
}
