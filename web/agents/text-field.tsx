import type { HTMLAttributes } from 'react';
import { useMe } from '../shell/use-me.ts';
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
  const { cannotChange } = useMe();
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          readOnly={cannotChange !== null}
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
