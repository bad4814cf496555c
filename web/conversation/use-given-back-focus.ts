import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A pane that had the focus and closes gives it back to what opened it, else to the screen. */
export function useGivenBackFocus(): RefObject<HTMLElement | null> {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    const opener = document.activeElement;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      if (opener instanceof HTMLElement && opener !== document.body) {
        // What a row offers can have the focus only while the row has it.
        opener.closest<HTMLElement>('[data-row]')?.focus();
        opener.focus();
      }
      if (element.contains(document.activeElement)) document.getElementById('content')?.focus();
    };
  }, []);
  return pane;
}
