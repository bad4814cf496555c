import { Suspense, useEffect, useMemo, useState } from 'react';
import { FailedLooks, type Look } from '../agents/failed-looks.tsx';
import { texts, useText } from '../i18n/text.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { Loading } from '../ui/states.tsx';
import { ApprovalBar } from './approval-bar.tsx';
import { ConflictNotice } from './conflict.tsx';
import { MergedNotice } from './conflict-merged.tsx';
import { toolsOf } from './desk-tools.ts';
import { useFreshEstimate } from './estimates-fresh.ts';
import css from './plan-screen.module.css';
import { DeskProvider, type PlanDesk } from './plan-screen-context.ts';
import { PlanHeader } from './plan-screen-header.tsx';
import { PlanKeys } from './plan-screen-keys.tsx';
import { PlanMain } from './plan-screen-main.tsx';
import { PlanPanel } from './plan-screen-panel.tsx';
import { usePlanUrl } from './plan-screen-url.ts';

const PlanTalk = lazyPart('plan-screen-talk', () => import('./plan-screen-talk.tsx'));

const words = texts({ talk: 'Conversation', panel: 'Details' }, { talk: 'Conversation', panel: 'Détails' });

type Given = Pick<PlanDesk, 'ws' | 'detail' | 'basis' | 'core'>;

interface OpenPlanProps extends Given {
  /** What was looked up for it: a later look may fail and leaves the plan as it is. */
  looks: readonly Look[];
}

export function OpenPlan({ looks, ...given }: OpenPlanProps) {
  const t = useText(words);
  const desk = usePlanDesk(given);
  useFreshEstimate(given);
  const url = usePlanUrl();
  return (
    <DeskProvider value={desk}>
      <PlanKeys />
      <div className={css.frame}>
        <div className={css.screen}>
          <PlanHeader />
          <FailedLooks looks={looks} />
          <ConflictNotice />
          <MergedNotice />
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

/** What is edited outlives the screen; what the server says flows into it, and leaving saves what has not rested yet. */
function usePlanDesk({ ws, detail, basis, core }: Given): PlanDesk {
  const [tools] = useState(() => toolsOf(ws, detail));
  useEffect(() => tools.arrive(detail), [tools, detail]);
  useEffect(() => {
    tools.draft.setState({ said: '' });
    return () => void tools.saver.flush();
  }, [tools]);
  return useMemo(() => ({ ws, detail, basis, core, ...tools }), [ws, detail, basis, core, tools]);
}
