import { useReactFlow } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import { type Viewport, viewResized } from './canvas-viewport.ts';
import type { Size } from './layout/layout.ts';

/**
 * Keeps the plan in view while its box changes, as by another zoom of the page: a view that nobody has moved is chosen anew,
 * of another one the middle stays where it is.
 */
export function useKeptView(first: Viewport, box: Size, choose: () => Viewport): void {
  const flow = useReactFlow();
  const last = useRef({ box, chosen: first });
  const latest = useRef(choose);
  latest.current = choose;
  const { width, height } = box;
  useLayoutEffect(() => {
    const { box: before, chosen } = last.current;
    if (before.width === width && before.height === height) return;
    const now = flow.getViewport();
    const isMoved = now.x !== chosen.x || now.y !== chosen.y || now.zoom !== chosen.zoom;
    const next = isMoved ? viewResized(now, before, { width, height }) : latest.current();
    last.current = { box: { width, height }, chosen: isMoved ? chosen : next };
    void flow.setViewport(next);
  }, [flow, width, height]);
}
