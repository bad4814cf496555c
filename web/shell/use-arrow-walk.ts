import { type KeyboardEvent, useCallback } from 'react';

const STEPS: Partial<Record<string, (at: number, n: number) => number>> = {
  ArrowDown: (at, n) => Math.min(at + 1, n - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, n) => n - 1,
};

/** Lets the arrows, Home and End walk through the links of the element that takes the handler; Tab goes through them as ever. */
export function useArrowWalk(): (event: KeyboardEvent<HTMLElement>) => void {
  return useCallback((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
    const row = (event.target as Element).closest('li')?.querySelector('a');
    const at = row ? links.indexOf(row) : -1;
    const to = at < 0 ? undefined : STEPS[event.key]?.(at, links.length);
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  }, []);
}
