import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this is at the end. */
const NEAR_PX = 80;

const scroller = (): HTMLElement | null => document.querySelector('main');

/**
 * Keeps the end of the screen in sight as it grows, for as long as one is there.
 * @param grows what makes it longer
 */
export function useFollow(isOn: boolean, grows: readonly unknown[]): { isAway: boolean; toEnd(): void } {
  const [isAway, setAway] = useState(false);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller();
    if (!element || !isOn) return;
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      setAway(!isAtEnd.current);
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [isOn]);
  const toEnd = () => {
    const element = scroller();
    if (element) element.scrollTop = element.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each growth
  useLayoutEffect(() => {
    if (isOn && isAtEnd.current) toEnd();
  }, [isOn, ...grows]);
  return { isAway, toEnd };
}
