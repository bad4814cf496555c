import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** So near to the end counts as at the end. */
const NEAR_PX = 48;

const restOf = ({ scrollHeight, clientHeight }: HTMLElement, offset: number): number =>
  scrollHeight - clientHeight - offset;

interface Stick {
  isAtEnd: boolean;
  toEnd(): void;
  /** For what the person looks at and must not move away: a row gone to, or one that was opened. */
  letGo(): void;
  onScroll(offset: number): void;
}

/**
 * Keeps a list at its end while that is where the person is: whatever grows, is measured anew or comes, the last row stays in
 * view. Scrolling up lets go of the end; coming back to it takes hold again.
 */
export function useStick(
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  count: number,
): Stick {
  const [isAtEnd, setAtEnd] = useState(true);
  const holds = useRef(true);
  const lastOffset = useRef(0);
  const hold = (on: boolean) => {
    holds.current = on;
    setAtEnd(on);
  };
  const toEnd = () => {
    hold(true);
    list.current?.scrollToIndex(count - 1, { align: 'end' });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in the refs is the same all the time
  useLayoutEffect(() => {
    if (holds.current && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' });
  }, [count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements are the same all the time
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const pin = () => {
      if (holds.current) element.scrollTop = element.scrollHeight;
      else if (restOf(element, element.scrollTop) <= NEAR_PX) hold(true);
    };
    const observer = new ResizeObserver(pin);
    observer.observe(content);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return {
    isAtEnd,
    toEnd,
    letGo: () => hold(false),
    onScroll(offset) {
      const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
      // As the list has measured it: asking the elements would make the browser lay all of it out in the middle of scrolling.
      if (scrollSize - viewportSize - offset <= NEAR_PX) hold(true);
      else if (offset < lastOffset.current - 1) hold(false);
      lastOffset.current = offset;
    },
  };
}
