import { useEffect, useRef } from 'react';
import { money } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import css from './approval-bar.module.css';
import { focusInstead } from './focus-field.ts';
import { useDesk, useDraft, useProposal } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    title: (revision: number) => `Approve revision ${revision}?`,
    starts: (n: number, of: number) =>
      n === of
        ? `${plural(n, 'sub-ticket starts', 'sub-tickets start')} as soon as what they depend on is done`
        : `${n} of ${of} sub-tickets start as soon as what they depend on is done; ${plural(of - n, 'is', 'are')} deferred until you approve them`,
    team: (agents: number, hires: number) =>
      hires === 0
        ? `by ${plural(agents, 'agent', 'agents')}`
        : `by ${plural(agents, 'agent', 'agents')}, ${hires} of them hired now`,
    budget: (sum: string) => `within a budget of ${sum}`,
    told: 'Everybody in the space sees it. You can cancel at any time; what was done until then is kept.',
    movedOn: (revision: number) =>
      `This is about revision ${revision}, and the plan moved on: go back and look at it`,
    start: 'Start the work',
    back: 'Back',
    done: (revision: number) => `Revision ${revision} is approved. The work starts.`,
  },
  {
    title: (revision: number) => `Approuver la révision ${revision} ?`,
    starts: (n: number, of: number) =>
      n === of
        ? `${plural(n, 'sous-ticket démarre', 'sous-tickets démarrent')} dès que ce dont ils dépendent est fait`
        : `${n} sous-tickets sur ${of} démarrent dès que ce dont ils dépendent est fait ; ${plural(of - n, 'est différé', 'sont différés')} jusqu’à votre approbation`,
    team: (agents: number, hires: number) =>
      hires === 0
        ? `par ${plural(agents, 'agent', 'agents')}`
        : `par ${plural(agents, 'agent', 'agents')}, dont ${hires} à recruter`,
    budget: (sum: string) => `dans un budget de ${sum}`,
    told: 'Toutes les personnes de l’espace le voient. Vous pourrez annuler à tout moment ; ce qui est fait reste acquis.',
    movedOn: (revision: number) =>
      `Il s’agit de la révision ${revision}, et le plan a changé depuis : revenez le regarder`,
    start: 'Lancer le travail',
    back: 'Retour',
    done: (revision: number) => `La révision ${revision} est approuvée. Le travail commence.`,
  },
);

interface ConfirmationProps {
  revision: number;
  /** Null for all of them. */
  tickets: readonly string[] | null;
  onClose(): void;
}

/** Says what starts before it starts; stays in place of the bar until it is answered. */
export function ApprovalConfirmation({ revision, tickets, onClose }: ConfirmationProps) {
  const t = useText(words);
  const { ws, detail, draft, saver } = useDesk();
  const base = useDraft((state) => state.base.revision);
  const isOpposed = useDraft((state) => state.conflict !== null);
  const { go } = usePlanUrl();
  const proposal = useProposal();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    return () => focusInstead('approve part', 'approve', 'bar');
  }, []);
  const approve = usePlanAction(ws, detail.id, async () => {
    // What was edited since it was asked makes another revision, which was not asked about.
    if (!(await saver.flush()) || draft.getState().base.revision !== revision) return;
    await plans.approve(ws, detail.id, { revision, ...(tickets && { tickets: [...tickets] }) });
    draft.setState({ said: t.done(revision) });
    go({ panel: 'details' });
    onClose();
  });
  const { roles } = proposal;
  const names = new Set(roles.map(({ agent }) => ('existing' in agent ? agent.existing : agent.hire.name)));
  const hires = roles.filter(({ agent }) => 'hire' in agent).length;
  const all = proposal.tickets.length;
  const facts = [
    t.starts(tickets?.length ?? all, all),
    t.team(names.size, hires),
    t.budget(money(proposal.budgetMicros)),
  ];
  return (
    <section
      className={css.confirmation}
      aria-label={t.title(revision)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {t.title(revision)}
        </h2>
        <p>
          {facts.join(', ')}. {t.told}
        </p>
      </div>
      <div className={css.actions}>
        <Button onClick={onClose}>{t.back}</Button>
        <Button
          kind="primary"
          disabledReason={base !== revision || isOpposed ? t.movedOn(revision) : null}
          isPending={approve.isPending}
          onClick={() => approve.mutate(undefined)}
        >
          {t.start}
        </Button>
      </div>
    </section>
  );
}
