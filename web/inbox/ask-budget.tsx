import { useState } from 'react';
import type { ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
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

type BudgetQuestion = Extract<ApprovalArguments['question'], { about: 'budget' }>;

/** The money of an orchestration is used up: more of it, or the end of the work. */
export function AskBudget({ ws, approval, deciding }: AskProps) {
  const t = useText(askText);
  const { openStudio } = useText(inboxText);
  const { capMicros, orchestrationId } = approval.arguments as unknown as BudgetQuestion;
  const [amount, setAmount] = useState(() => dollarsText(capMicros * 2));
  const detail = useOrchestration(ws, orchestrationId).data;
  const micros = microsOf(amount);
  const fault = micros === null ? t.notMoney : micros <= capMicros ? t.notMore(money(capMicros)) : null;
  return (
    <>
      <div className={css.body}>
        {detail ? (
          <dl className={css.facts}>
            <dt>{t.goal}</dt>
            <dd>{detail.goal}</dd>
            <dt>{t.spent}</dt>
            <dd>{detail.costUnknown ? t.atLeast(money(detail.spentMicros)) : money(detail.spentMicros)}</dd>
            <dt>{t.budget}</dt>
            <dd>{money(capMicros)}</dd>
          </dl>
        ) : (
          <p>{approval.subject.split('\n\n')[0]}</p>
        )}
        {detail ? <PlaceLink href={`/plans/${detail.kind}/${orchestrationId}`} label={openStudio} /> : null}
        <div className={css.narrowField}>
          <Field label={t.newBudget} hint={t.newBudgetHint(money(capMicros))} error={fault}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                value={amount}
                onChange={({ target }) => setAmount(target.value)}
              />
            )}
          </Field>
        </div>
      </div>
      <AskActions
        id={approval.id}
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
