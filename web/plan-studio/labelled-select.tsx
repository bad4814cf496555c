import type { ReactNode } from 'react';
import css from './labelled-select.module.css';

interface LabelledSelectProps {
  label: string;
  value: string | number;
  onChoose(value: string): void;
  /** Its `<option>`s. */
  children: ReactNode;
}

/** A choice with its name before it, for a row of a few of them. */
export function LabelledSelect({ label, value, onChoose, children }: LabelledSelectProps) {
  return (
    <label className={css.choice}>
      {label}
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </label>
  );
}
