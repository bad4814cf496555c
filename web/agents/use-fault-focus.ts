import { type RefObject, useEffect, useRef } from 'react';

/** Puts the focus on the first field that is wrong, once for each refusal, as soon as no dialog is in the way. */
export function useFaultFocus(
  form: RefObject<HTMLElement | null>,
  error: Error | null,
  isCovered = false,
): void {
  const told = useRef<Error | null>(null);
  useEffect(() => {
    if (error === null || isCovered || told.current === error) return;
    told.current = error;
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, error, isCovered]);
}
