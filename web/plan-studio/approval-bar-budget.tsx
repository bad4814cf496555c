import { useEffect, useState } from 'react';
import { money } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { readDollars } from './approval-bar-dollars.ts';
import { focusField } from './focus-field.ts';
import { useDesk } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';

const words = texts(
  {
    title: 'Raise the budget',
    label: 'New budget in dollars',
    hint: (budget: string, spent: string) =>
      `It is ${budget} now, of which ${spent} is spent. It can only be raised.`,
    notANumber: 'Give an amount such as 12.50',
    tooLow: (budget: string) => `Give more than ${budget}`,
    raise: 'Raise',
    close: 'Close',
    done: (budget: string) => `The budget is ${budget} now.`,
  },
  {
    title: 'Augmenter le budget',
    label: 'Nouveau budget en dollars',
    hint: (budget: string, spent: string) =>
      `Il est de ${budget}, dont ${spent} sont dépensés. Il ne peut qu’augmenter.`,
    notANumber: 'Donnez un montant, par exemple 12,50',
    tooLow: (budget: string) => `Donnez plus de ${budget}`,
    raise: 'Augmenter',
    close: 'Fermer',
    done: (budget: string) => `Le budget est maintenant de ${budget}.`,
  },
);

export function RaiseBudget({ onClose }: { onClose(): void }) {
  const t = useText(words);
  const { ws, detail, draft } = useDesk();
  const { budgetMicros, spentMicros } = detail;
  const [text, setText] = useState('');
  useEffect(() => focusField('budget'), []);
  const capMicros = readDollars(text);
  const problem =
    capMicros === null ? t.notANumber : capMicros <= budgetMicros ? t.tooLow(money(budgetMicros)) : null;
  const raise = usePlanAction(ws, detail.id, async () => {
    if (capMicros === null) return;
    await plans.raiseBudget(ws, detail.id, capMicros);
    draft.setState({ said: t.done(money(capMicros)) });
    onClose();
  });
  return (
    <Dialog
      title={t.title}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <Button
          kind="primary"
          disabledReason={problem}
          isPending={raise.isPending}
          onClick={() => raise.mutate(undefined)}
        >
          {t.raise}
        </Button>
      }
    >
      <Field
        label={t.label}
        hint={t.hint(money(budgetMicros), money(spentMicros))}
        error={text === '' ? null : problem}
      >
        {(control) => (
          <input
            {...control}
            data-field="budget"
            inputMode="decimal"
            readOnly={raise.isPending}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
