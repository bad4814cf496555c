import { useLayoutEffect, useRef, useState } from 'react';
import type { Camera } from './canvas-camera.ts';
import { type Viewport, viewResized } from './canvas-viewport.ts';
import type { Size } from './layout/layout.ts';

/**
 * Keeps the plan in view while its box changes, as by another zoom of the page: a view that nobody has moved is chosen anew,
 * of another one the middle stays where it is. A comparison shows more than the plan, and is a view of its own.
 */
export function useKeptView(camera: Camera, box: Size, isComparison: boolean, choose: () => Viewport): void {
  const [first] = useState(() => camera.getState());
  const last = useRef({ box, isComparison, chosen: first as Viewport });
  const latest = useRef(choose);
  latest.current = choose;
  const { width, height } = box;
  useLayoutEffect(() => {
    const { box: before, isComparison: was, chosen } = last.current;
    if (before.width === width && before.height === height && was === isComparison) return;
    const now = camera.getState();
    const isMoved = now.x !== chosen.x || now.y !== chosen.y || now.zoom !== chosen.zoom;
    const next = isMoved ? viewResized(now, before, { width, height }) : latest.current();
    last.current = { box: { width, height }, isComparison, chosen: isMoved ? chosen : next };
    camera.setState({ ...next, width, height });
  }, [camera, width, height, isComparison]);
}
