import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Controls of a part come and go under the focus: it stays in the part, and goes elsewhere when all of it goes.
 * @param elsewhere where that is, looked up from the part while it is still there
 */
export function useKeptFocus<E extends HTMLElement>(
  elsewhere: (part: E) => HTMLElement | null | undefined,
): RefObject<E | null> {
  const part = useRef<E>(null);
  const last = useRef<Element | null>(null);
  const next = useRef(elsewhere);
  next.current = elsewhere;
  useLayoutEffect(() => {
    const element = part.current;
    if (!element) return;
    const enter = ({ target }: FocusEvent) => {
      last.current = target instanceof Element ? target : null;
    };
    // Whatever goes from under the focus leaves it to nobody.
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) last.current = null;
    };
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
      if (element.contains(document.activeElement)) next.current(element)?.focus();
    };
  }, []);
  useLayoutEffect(() => {
    const element = part.current;
    if (!element || last.current === null || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    (element.querySelector('button') ?? next.current(element))?.focus();
  });
  return part;
}
