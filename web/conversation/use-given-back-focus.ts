import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A pane that had the focus and closes gives it back to what opened it, else to the screen. */
export function useGivenBackFocus(): RefObject<HTMLElement | null> {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    const opener = document.activeElement;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      (isThere ? opener : document.getElementById('content'))?.focus();
    };
  }, []);
  return pane;
}
