import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultSentence } from '../i18n/fault-words.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { notify } from '../ui/notices.tsx';
import { setCap } from './agent-data.ts';
import css from './budget.module.css';
import { microsOf, moneyText } from './money-text.ts';

const words = texts(
  {
    set: 'Set limit',
    remove: 'Remove limit',
    same: 'This is the limit already.',
    noSum: 'Write a sum above zero in dollars, such as 25 or 12.50.',
    empty: 'Write a sum first.',
    saved: 'The limit is set.',
    removed: 'The limit is gone.',
  },
  {
    set: 'Fixer la limite',
    remove: 'Retirer la limite',
    same: 'C’est déjà la limite.',
    noSum: 'Écrivez une somme supérieure à zéro en dollars, comme 25 ou 12,50.',
    empty: 'Écrivez d’abord une somme.',
    saved: 'La limite est fixée.',
    removed: 'La limite est retirée.',
  },
);

interface BudgetFormProps {
  ws: string;
  /** `agent:<id>`, `workspace`, or `run` for each run. */
  target: string;
  label: string;
  hint: string;
  capMicros: number | null;
}

/** The most that may be spent at one place, in dollars. */
export function BudgetForm({ ws, target, label, hint, capMicros }: BudgetFormProps) {
  const t = useText(words);
  const { cannotChange } = useMe();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (capMicros === null ? '' : moneyText(capMicros));
  const micros = microsOf(text);
  const isWrong = text.trim() !== '' && micros === null;
  const save = useMutation({
    mutationFn: (cap: number | null) => setCap(ws, target, cap),
    onSuccess: (_none, cap) => {
      setTyped(null);
      notify(cap === null ? t.removed : t.saved);
    },
  });
  const reason =
    cannotChange ?? (text.trim() === '' ? t.empty : isWrong ? t.noSum : micros === capMicros ? t.same : null);
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === null && micros !== null) save.mutate(micros);
      }}
    >
      <Field
        label={label}
        hint={hint}
        error={isWrong ? t.noSum : save.error ? faultSentence(save.error) : null}
      >
        {(control) => (
          <span className={css.entry}>
            <input
              {...control}
              readOnly={cannotChange !== null}
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button
              type="submit"
              disabledReason={reason}
              isPending={save.isPending && save.variables !== null}
            >
              {t.set}
            </Button>
            {capMicros === null ? null : (
              <Button
                kind="quiet"
                disabledReason={cannotChange}
                isPending={save.isPending && save.variables === null}
                onClick={() => save.mutate(null)}
              >
                {t.remove}
              </Button>
            )}
          </span>
        )}
      </Field>
    </form>
  );
}
