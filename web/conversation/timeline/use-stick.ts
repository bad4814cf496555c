import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** So near to the end counts as at the end for whoever comes towards it; one who leaves it has left it at once. */
const NEAR_PX = 48;
const AT_PX = 2;

const restOf = ({ scrollHeight, clientHeight }: HTMLElement, offset: number): number =>
  scrollHeight - clientHeight - offset;

function pinEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}

interface Stick {
  isAtEnd: boolean;
  toEnd(): void;
  /** For what the person looks at and must not move away: a row gone to, or one that was opened. */
  letGo(): void;
  onScroll(offset: number): void;
}

/**
 * Keeps a list at its end while that is where the person is: whatever grows, is measured anew or comes, the last row stays in
 * view. Scrolling up lets go of the end; coming back to it takes hold again. The list's own way to an index would go there once
 * more with every row that it measures, for as long as rows come: against whoever scrolls meanwhile.
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
    pinEnd(scroller.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a row came
  useLayoutEffect(() => {
    if (holds.current) pinEnd(scroller.current);
  }, [count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements are the same all the time
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const pin = () => {
      if (holds.current) pinEnd(element);
      else if (restOf(element, element.scrollTop) <= AT_PX) hold(true);
    };
    // Before the first of its scrolling is seen, rows may be measured: they would take it back.
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && element.scrollTop > 0) hold(false);
    };
    const observer = new ResizeObserver(pin);
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
  return {
    isAtEnd,
    toEnd,
    letGo: () => hold(false),
    onScroll(offset) {
      const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
      // As the list has measured it: asking the elements would make the browser lay all of it out in the middle of scrolling.
      const rest = scrollSize - viewportSize - offset;
      const isUpwards = offset < lastOffset.current - 1;
      if (rest <= (isUpwards ? AT_PX : NEAR_PX)) hold(true);
      else if (isUpwards) hold(false);
      lastOffset.current = offset;
    },
  };
}
