import { type ReactNode, useEffect, useRef } from 'react';
import css from './space-form.module.css';

interface SpaceFormProps {
  /** Why the person can change nothing here; the fields are off then. */
  cannotChange: string | null;
  /** How often it was sent, and what the server had against it: each time the focus goes to the field that is wrong. */
  tries?: number;
  error: unknown;
  onSubmit(): void;
  children: ReactNode;
}

/** A form that Enter sends. */
export function SpaceForm({ cannotChange, tries = 0, error, onSubmit, children }: SpaceFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0 || error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries, error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {cannotChange === null ? null : <p className={css.note}>{cannotChange}</p>}
      <fieldset disabled={cannotChange !== null}>{children}</fieldset>
      <button type="submit" hidden />
    </form>
  );
}
