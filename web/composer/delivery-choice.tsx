import { useId } from 'react';
import { useText } from '../i18n/text.ts';
import type { AtWork } from './at-work.ts';
import css from './delivery-choice.module.css';
import type { Draft } from './drafts.ts';
import { composerText } from './text.ts';

interface DeliveryChoiceProps {
  atWork: readonly AtWork[];
  delivery: Draft['delivery'];
  onChoose(delivery: 'steer' | 'queue'): void;
}

/** While agents are at work: whether they read the message at once, or do it afterwards. */
export function DeliveryChoice({ atWork, delivery, onChoose }: DeliveryChoiceProps) {
  const t = useText(composerText);
  const name = useId();
  const names = [...new Set(atWork.map((one) => one.name))].join(', ');
  const options = [
    { value: 'steer' as const, label: t.steer, hint: t.steerHint },
    { value: 'queue' as const, label: t.later, hint: t.laterHint },
  ];
  return (
    <fieldset className={css.choice}>
      <legend className="visually-hidden">{t.delivery(names)}</legend>
      <span className={css.names} aria-hidden="true">
        {t.atWork(names)}
      </span>
      <span className={css.options}>
        {options.map(({ value, label, hint }) => (
          <label key={value} className={css.option} title={hint}>
            <input
              type="radio"
              name={name}
              checked={(delivery ?? 'steer') === value}
              onChange={() => onChoose(value)}
              aria-describedby={`${name}-${value}`}
            />
            {label}
            <span id={`${name}-${value}`} className="visually-hidden">
              {hint}
            </span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
