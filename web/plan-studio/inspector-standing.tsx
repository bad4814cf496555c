import { Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StepRun } from '../../services/orchestration/orchestrations/orchestration.ts';
import { useNames } from '../conversation/names.ts';
import { useRunAction } from '../conversation/runs/run-actions.ts';
import { ago, dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { useFamilyWords } from '../ui/error-family.ts';
import { useNow } from '../ui/use-now.ts';
import { RaiseBudget } from './approval-bar-budget.tsx';
import css from './inspector.module.css';
import { useDesk } from './plan-screen-context.ts';

const words = texts(
  {
    queued: 'It begins as soon as there is a free place.',
    stalled: 'It has said nothing for long and may still go on by itself.',
    awaiting: (agent: string) => `${agent} asks for a decision and waits for it.`,
    paused: (name: string) => `${name} paused it.`,
    takenOver: (name: string) => `${name} took it over and does it by hand.`,
    byYou: 'You took it over: hand it back in the conversation when you are done.',
    retryingAt: (when: string) => `It goes on by itself ${when}.`,
    retrying: 'It goes on by itself.',
    below: (agent: string) => `This is about ${agent}, whose result it waits for.`,
    resume: 'Resume',
    now: 'Resume now',
    decide: 'Decide in the inbox',
    raise: 'Raise the budget…',
    openIt: 'Open that run',
    since: (when: string) => `Since ${when}.`,
  },
  {
    queued: 'Elle commence dès qu’une place se libère.',
    stalled: 'Elle se tait depuis longtemps et peut encore continuer d’elle-même.',
    awaiting: (agent: string) => `${agent} demande une décision et l’attend.`,
    paused: (name: string) => `${name} l’a mise en pause.`,
    takenOver: (name: string) => `${name} l’a reprise et la fait à la main.`,
    byYou: 'Vous l’avez reprise : rendez-la dans la conversation quand vous aurez fini.',
    retryingAt: (when: string) => `Elle continue d’elle-même ${when}.`,
    retrying: 'Elle continue d’elle-même.',
    below: (agent: string) => `Il s’agit de ${agent}, dont elle attend le résultat.`,
    resume: 'Reprendre',
    now: 'Reprendre maintenant',
    decide: 'Décider dans la boîte de réception',
    raise: 'Augmenter le budget…',
    openIt: 'Ouvrir cette exécution',
    since: (when: string) => `Depuis ${when}.`,
  },
);

/** Why a step that is at work does not move, and what a person can do about it; nothing while it moves. */
export function StepStanding({ run }: { run: StepRun }) {
  const t = useText(words);
  const { id, atRunId, agentName, summary, since } = run;
  const reasons = useReasons(run);
  if (run.standing === 'working') return null;
  const isBelow = atRunId !== id;
  return (
    <div className={css.standing} role="note" data-standing={run.standing}>
      <p>
        {reasons.join(' ')} {isBelow ? t.below(agentName) : null}{' '}
        {since === null ? null : <span className={css.soft}>{t.since(dateTime(since))}</span>}
      </p>
      {summary ? (
        <p lang="en" className={css.soft}>
          {summary}
        </p>
      ) : null}
      <div className={css.actions}>
        <Ways run={run} />
        {isBelow ? <Link href={`/runs/${atRunId}`}>{t.openIt}</Link> : null}
      </div>
    </div>
  );
}

/** What stands in the way, in whole sentences. */
function useReasons({
  standing,
  errorFamily,
  agentName,
  pausedBy,
  takenOverBy,
  resumeAt,
}: StepRun): string[] {
  const t = useText(words);
  const { ws } = useDesk();
  const names = useNames(ws);
  const me = useMe().actor;
  const familyOf = useFamilyWords();
  const now = useNow();
  const { label, mend } = familyOf(errorFamily ?? 'unknown');
  switch (standing) {
    case 'working':
      return [];
    case 'queued':
    case 'stalled':
      return [t[standing]];
    case 'awaiting':
      return [t.awaiting(agentName)];
    case 'paused':
      return pausedBy ? [t.paused(names(pausedBy).name)] : [];
    case 'takenOver':
      return takenOverBy ? [takenOverBy === me ? t.byYou : t.takenOver(names(takenOverBy).name)] : [];
    case 'retrying':
      return [
        `${label}.`,
        resumeAt === null ? t.retrying : t.retryingAt(ago(resumeAt, Math.min(now, resumeAt))),
      ];
    case 'blocked':
      return [`${label}.`, mend];
  }
}

/** The one action that helps: to decide, to raise the budget, or to let it go on. */
function Ways({ run }: { run: StepRun }) {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const { cannotChange } = useMe();
  const resume = useRunAction(ws, run.atRunId);
  const [isRaising, setRaising] = useState(false);
  const { standing, approvalId, errorFamily } = run;
  if (standing === 'awaiting')
    return approvalId ? <Link href={`/inbox/${approvalId}`}>{t.decide}</Link> : null;
  if (standing !== 'paused' && standing !== 'retrying' && standing !== 'blocked') return null;
  // An answer to the question of the budget lets everything go on that it stopped.
  const isBudget = errorFamily === 'budget' && detail.pipelineStatus === 'suspended';
  return (
    <>
      <Button
        kind="primary"
        disabledReason={cannotChange}
        isPending={resume.isPending}
        onClick={() => (isBudget ? setRaising(true) : resume.mutate('resume'))}
      >
        {isBudget ? null : <Play size={14} aria-hidden />}
        {isBudget ? t.raise : standing === 'retrying' ? t.now : t.resume}
      </Button>
      {isRaising ? <RaiseBudget onClose={() => setRaising(false)} /> : null}
    </>
  );
}
