import { useState } from 'react';
import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import { progressOf } from '../conversation/cards/orchestration-data.ts';
import { money } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Status } from '../ui/status.tsx';
import css from './approval-bar.module.css';
import { RaiseBudget } from './approval-bar-budget.tsx';
import { CancelPlan } from './approval-bar-cancel.tsx';
import { useIsViewer } from './approval-bar-obstacle.ts';
import { useDesk } from './plan-screen-context.ts';
import { planState, statusLabels, statusWord } from './plan-screen-status.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { firstStanding, standingCounts } from './standing.ts';

const words = texts(
  {
    steps: 'Steps done',
    of: (done: number, all: number) => `${done} of ${all}`,
    running: (n: number) => `${n} running`,
    failed: (n: number) => `${n} failed`,
    awaiting: (n: number) => `${plural(n, 'waits', 'wait')} for you`,
    halted: (n: number) => `${n} paused`,
    blocked: (n: number) => `${n} blocked`,
    deferred: (n: number) => `${n} deferred`,
    showFailed: 'Show the failed step',
    showStanding: 'Show what is held up',
    spent: 'Spent',
    spentOf: (spent: string, budget: string) => `${spent} of ${budget}`,
    atLeast: (sum: string) => `at least ${sum}`,
    paused: 'the budget is used up',
    gaps: (n: number) => plural(n, 'gap', 'gaps'),
    approveDeferred: 'Approve deferred…',
    raise: 'Raise the budget…',
    cancel: 'Cancel the plan…',
    deliverable: 'Show the deliverable',
    viewer: 'You may look at this plan, not decide about it',
  },
  {
    steps: 'Étapes terminées',
    of: (done: number, all: number) => `${done} sur ${all}`,
    running: (n: number) => `${n} en cours`,
    failed: (n: number) => plural(n, 'échouée', 'échouées'),
    awaiting: (n: number) => `${plural(n, 'attend', 'attendent')} une décision`,
    halted: (n: number) => `${n} en pause`,
    blocked: (n: number) => plural(n, 'bloquée', 'bloquées'),
    deferred: (n: number) => plural(n, 'différé', 'différés'),
    showFailed: 'Montrer l’étape échouée',
    showStanding: 'Montrer ce qui n’avance pas',
    spent: 'Dépensé',
    spentOf: (spent: string, budget: string) => `${spent} sur ${budget}`,
    atLeast: (sum: string) => `au moins ${sum}`,
    paused: 'le budget est épuisé',
    gaps: (n: number) => plural(n, 'lacune', 'lacunes'),
    approveDeferred: 'Approuver le différé…',
    raise: 'Augmenter le budget…',
    cancel: 'Annuler le plan…',
    deliverable: 'Montrer le résultat',
    viewer: 'Vous pouvez consulter ce plan, pas le décider',
  },
);

const UNDER_WAY: readonly OrchestrationDetail['status'][] = ['approved', 'executing', 'synthesizing'];

/** How far the work is, what it cost until now, and what a person can do about it. */
export function WorkBar() {
  const t = useText(words);
  const labels = useText(statusLabels);
  const { detail } = useDesk();
  const { failure, pipelineStatus, gaps } = detail;
  return (
    <>
      <div className={css.work} role="status">
        <p className={css.headline}>
          <Status status={statusWord(detail)} label={labels[planState(detail)]} />
          {pipelineStatus === 'suspended' ? <Badge tone="warn">{t.paused}</Badge> : null}
          {gaps !== null && gaps.length > 0 ? <Badge tone="warn">{t.gaps(gaps.length)}</Badge> : null}
        </p>
        {failure ? <p className={css.failure}>{failure.message}</p> : null}
      </div>
      <WorkFacts />
      <WorkActions />
    </>
  );
}

function WorkFacts() {
  const t = useText(words);
  const { detail } = useDesk();
  const { spentMicros, budgetMicros, costUnknown, deferred } = detail;
  const { all, done, failed } = progressOf(detail.steps);
  const { running, awaiting, halted, blocked } = standingCounts(detail.steps);
  const spent = costUnknown ? t.atLeast(money(spentMicros)) : money(spentMicros);
  return (
    <dl className={css.facts}>
      {all > 0 ? (
        <div className={css.fact}>
          <dt>{t.steps}</dt>
          <dd>
            <strong>{t.of(done, all)}</strong>
            <span className={css.counts}>
              {running > 0 ? <Badge tone="accent">{t.running(running)}</Badge> : null}
              {awaiting > 0 ? <Badge tone="warn">{t.awaiting(awaiting)}</Badge> : null}
              {halted > 0 ? <Badge tone="warn">{t.halted(halted)}</Badge> : null}
              {blocked > 0 ? <Badge tone="warn">{t.blocked(blocked)}</Badge> : null}
              {failed > 0 ? <Badge tone="bad">{t.failed(failed)}</Badge> : null}
              {deferred.length > 0 ? <Badge tone="warn">{t.deferred(deferred.length)}</Badge> : null}
            </span>
          </dd>
        </div>
      ) : null}
      <div className={css.fact}>
        <dt>{t.spent}</dt>
        <dd>
          <strong>{t.spentOf(spent, money(budgetMicros))}</strong>
        </dd>
      </div>
    </dl>
  );
}

function WorkActions() {
  const t = useText(words);
  const { detail } = useDesk();
  const { go } = usePlanUrl();
  const isViewer = useIsViewer();
  const [asking, setAsking] = useState<'budget' | 'cancel' | null>(null);
  const failed = detail.steps.find(({ state }) => state === 'failed' || state === 'parked');
  const standing = failed ? undefined : firstStanding(detail.steps);
  const isUnderWay = UNDER_WAY.includes(detail.status);
  const viewer = isViewer ? t.viewer : null;
  const isPaused = detail.pipelineStatus === 'suspended';
  return (
    <div className={css.actions}>
      {failed ? (
        <Button onClick={() => go({ node: failed.key, panel: 'details' })}>{t.showFailed}</Button>
      ) : null}
      {standing ? (
        <Button onClick={() => go({ node: standing.key, panel: 'details' })}>{t.showStanding}</Button>
      ) : null}
      {detail.deliverable === null ? null : (
        <Button onClick={() => go({ node: null, panel: 'details' })}>{t.deliverable}</Button>
      )}
      {isUnderWay ? (
        <>
          <Button kind="quiet" disabledReason={viewer} onClick={() => setAsking('cancel')}>
            {t.cancel}
          </Button>
          <Button
            kind={isPaused ? 'primary' : 'plain'}
            disabledReason={viewer}
            onClick={() => setAsking('budget')}
          >
            {t.raise}
          </Button>
        </>
      ) : null}
      {detail.deferred.length > 0 ? (
        <Button kind="primary" disabledReason={viewer} onClick={() => go({ panel: 'deferred' })}>
          {t.approveDeferred}
        </Button>
      ) : null}
      {asking === 'budget' ? <RaiseBudget onClose={() => setAsking(null)} /> : null}
      {asking === 'cancel' ? <CancelPlan onClose={() => setAsking(null)} /> : null}
    </div>
  );
}
