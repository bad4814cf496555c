import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { ask, runs } from '../api/client.ts';
import { changeDraft, draftOf } from '../composer/drafts.ts';
import { useOrchestration } from '../conversation/cards/orchestration-data.ts';
import { money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Field } from '../ui/field.tsx';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import { dollarsText, microsOf } from './money-input.ts';
import css from './preview.module.css';
import { PlaceLink } from './preview-head.tsx';
import { inboxText } from './text.ts';
import { sumKey } from './written.ts';

type BudgetQuestion = Extract<ApprovalArguments['question'], { about: 'budget' }>;

/** The money of an orchestration is used up: more of it, or the end of the work. */
export function AskBudget({ ws, approval, deciding }: AskProps) {
  const t = useText(askText);
  const { openStudio } = useText(inboxText);
  const { capMicros, orchestrationId } = approval.arguments as unknown as BudgetQuestion;
  const [typed, setTyped] = useTyped(sumKey(approval));
  const detail = useOrchestration(ws, orchestrationId).data;
  const spent = useSpent(ws, orchestrationId);
  // One call can cost more than what was left: a budget below what is spent would stop the work at once.
  const leastMicros = Math.max(capMicros, spent?.micros ?? 0);
  const amount = typed ?? dollarsText(leastMicros * 2);
  const micros = microsOf(amount);
  const fault = micros === null ? t.notMoney : micros <= leastMicros ? t.notMore(money(leastMicros)) : null;
  return (
    <>
      <div className={css.body}>
        {detail ? (
          <dl className={css.facts}>
            <dt>{t.goal}</dt>
            <dd>{detail.goal}</dd>
            <dt>{t.spent}</dt>
            <dd>
              {spent === null
                ? t.notKnown
                : spent.isLeast
                  ? t.atLeast(money(spent.micros))
                  : money(spent.micros)}
            </dd>
            <dt>{t.budget}</dt>
            <dd>{money(capMicros)}</dd>
          </dl>
        ) : (
          <p>{approval.subject.split('\n\n')[0]}</p>
        )}
        {detail ? <PlaceLink href={`/plans/${detail.kind}/${orchestrationId}`} label={openStudio} /> : null}
        <div className={css.narrowField}>
          <Field label={t.newBudget} hint={t.newBudgetHint(money(leastMicros))} error={fault}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                value={amount}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
        </div>
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{
          label: micros === null ? t.raiseNow : t.raise(money(micros)),
          cannot: fault,
          run: () => deciding.decide({ decision: 'approved', answer: `raise ${micros}` }),
        }}
        refusals={[
          {
            ...{ label: t.stop, verb: t.stopNow, hint: t.stopWhat, needed: null, tone: 'danger' },
            send: (reason) =>
              deciding.decide({ decision: 'approved', answer: 'stop', ...(reason !== '' && { reason }) }),
          },
        ]}
      />
    </>
  );
}

/** Null while nothing was typed; an emptied field is not that. */
function useTyped(key: string): [string | null, (text: string) => void] {
  const [typed, setTyped] = useState(() => draftOf(key).text || null);
  return [
    typed,
    (text) => {
      setTyped(text);
      changeDraft(key, { text });
    },
  ];
}

/** What counts against the budget, runs under way included; null while it is not known. */
function useSpent(workspaceId: string, target: string): { micros: number; isLeast: boolean } | null {
  const at = runs.api.workspaces[':workspaceId'].budgets[':target'];
  const budget = useQuery({
    queryKey: ['budgets', workspaceId, target],
    queryFn: () => ask(at.$get({ param: { workspaceId, target } })),
    // No event tells of what is spent: it is asked for at each look.
    staleTime: 0,
  }).data;
  if (!budget || budget.spentMicros === null) return null;
  return { micros: budget.spentMicros, isLeast: (budget.unknownCalls ?? 0) > 0 };
}
