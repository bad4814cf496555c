import { useId } from 'react';
import css from './choice-list.module.css';

interface ChoiceListProps<T extends string> {
  legend: string;
  value: T;
  choices: readonly { value: T; label: string; hint?: string | undefined }[];
  onChoose(value: T): void;
  isDisabled?: boolean;
}

/** One of a few, each with what it means. */
export function ChoiceList<T extends string>({
  legend,
  value,
  choices,
  onChoose,
  isDisabled = false,
}: ChoiceListProps<T>) {
  const name = useId();
  return (
    <fieldset className={css.choices} disabled={isDisabled}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={css.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span className={css.label}>{choice.label}</span>
          {choice.hint ? <span className={css.hint}>{choice.hint}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}
