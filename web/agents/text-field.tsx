import type { HTMLAttributes } from 'react';
import { Field } from '../ui/field.tsx';

interface TextFieldProps {
  label: string;
  hint?: string | undefined;
  error: string | null;
  value: string;
  onChange(value: string): void;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  name: string;
}

/** One line of text. */
export function TextField({ label, hint, error, value, onChange, inputMode, name }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          name={name}
          autoComplete="off"
          spellCheck={false}
          inputMode={inputMode}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
