import { Link } from 'wouter';
import type { StepView } from '../../services/orchestration/orchestrations/orchestration.ts';
import { count, dateTime, duration, money } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import css from './inspector.module.css';
import { StepStanding } from './inspector-standing.tsx';
import { useDesk } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { runAt, stepStatus } from './standing.ts';

const words = texts(
  {
    step: 'Work',
    parked: 'Parked: it may have run before the server stopped. Look at it, then retry or skip it.',
    started: 'Started',
    elapsed: 'Elapsed',
    cost: 'Cost',
    tokens: 'Tokens',
    attempt: 'Attempt',
    unknown: 'Unknown',
    run: 'Open the run',
    ticket: 'Ticket',
    retry: 'Retry',
    skip: 'Skip',
    skipDeferred: 'Leave it out',
    approve: 'Approve it…',
    deferred: 'Deferred: it waits for an approval of its own.',
    needed: 'Without this step there is no deliverable',
  },
  {
    step: 'Travail',
    parked:
      'Mis de côté : l’étape a pu s’exécuter avant l’arrêt du serveur. Vérifiez, puis relancez ou ignorez.',
    started: 'Début',
    elapsed: 'Durée',
    cost: 'Coût',
    tokens: 'Jetons',
    attempt: 'Tentative',
    unknown: 'Inconnu',
    run: 'Ouvrir l’exécution',
    ticket: 'Ticket',
    retry: 'Relancer',
    skip: 'Ignorer',
    skipDeferred: 'Laisser de côté',
    approve: 'Approuver…',
    deferred: 'Différé : il attend une approbation à part.',
    needed: 'Sans cette étape, il n’y a pas de résultat',
  },
);

/** What became of a node since the approval, and what a person can do about it; nothing before. */
export function StepFacts({ stepKey, ticketKey }: { stepKey: string; ticketKey: string | null }) {
  const t = useText(words);
  const { detail } = useDesk();
  const { rev, diff } = usePlanUrl();
  const step = detail.steps.find((one) => one.key === stepKey);
  if (!step || rev !== null || diff !== null) return null;
  const run = runAt(step);
  const isDeferred = ticketKey !== null && detail.deferred.includes(ticketKey);
  return (
    <section className={css.block} aria-label={t.step}>
      <p className={css.state}>
        <Status status={stepStatus(step, isDeferred)} />
        {step.runId ? <Link href={`/runs/${step.runId}`}>{t.run}</Link> : null}
      </p>
      {run ? <StepStanding run={run} /> : null}
      {isDeferred ? <p className={css.soft}>{t.deferred}</p> : null}
      {step.state === 'parked' ? <p className={css.soft}>{t.parked}</p> : null}
      {step.error ? (
        <p className={css.failure} role="note">
          {step.error}
        </p>
      ) : null}
      {step.startedAt === null ? null : <StepNumbers step={step} />}
      <StepActions step={step} isDeferred={isDeferred} />
    </section>
  );
}

function StepNumbers({ step }: { step: StepView }) {
  const t = useText(words);
  const now = useNow();
  const { input, output, cacheRead, cacheWrite } = step.tokens;
  const tokens = input + output + cacheRead + cacheWrite;
  const { startedAt, endedAt, costMicros } = step;
  const facts: [string, string][] = [
    ...(startedAt === null ? [] : [[t.started, dateTime(startedAt)] as [string, string]]),
    ...(startedAt === null
      ? []
      : [[t.elapsed, duration(Math.max(0, (endedAt ?? now) - startedAt))] as [string, string]]),
    [t.cost, costMicros === null ? t.unknown : money(costMicros)],
    ...(tokens > 0 ? [[t.tokens, count(tokens)] as [string, string]] : []),
    ...(step.attempt > 1 ? [[t.attempt, String(step.attempt)] as [string, string]] : []),
    ...(step.ticketId ? [[t.ticket, step.ticketId] as [string, string]] : []),
  ];
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SKIPPABLE = ['research', 'position', 'ticket'];

/** A failed or parked step can be run again or given up; a deferred one approved or left out. */
function StepActions({ step, isDeferred }: { step: StepView; isDeferred: boolean }) {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const { go } = usePlanUrl();
  const retry = usePlanAction(ws, detail.id, () => plans.retryStep(ws, detail.id, step.key));
  const skip = usePlanAction(ws, detail.id, () => plans.skipStep(ws, detail.id, step.key));
  const { cannotChange } = useMe();
  const isStuck = step.state === 'failed' || step.state === 'parked';
  const isOver = detail.status === 'completed' || detail.status === 'cancelled';
  if (isOver || (!isStuck && !isDeferred)) return null;
  const needed = SKIPPABLE.includes(step.kind) ? cannotChange : t.needed;
  return (
    <div className={css.actions}>
      {isStuck ? (
        <Button
          kind="primary"
          disabledReason={cannotChange}
          isPending={retry.isPending}
          onClick={() => retry.mutate(undefined)}
        >
          {t.retry}
        </Button>
      ) : (
        <Button kind="primary" onClick={() => go({ panel: 'deferred' })}>
          {t.approve}
        </Button>
      )}
      <Button disabledReason={needed} isPending={skip.isPending} onClick={() => skip.mutate(undefined)}>
        {isDeferred ? t.skipDeferred : t.skip}
      </Button>
    </div>
  );
}
