import { startTransition, useLayoutEffect, useRef, useState } from 'react';
import css from './canvas.module.css';
import { CanvasFlow } from './canvas-flow.tsx';
import type { Size } from './layout/layout.ts';
import type { PlanCanvasProps } from './plan-view.ts';

/**
 * A plan as a graph: laid out by itself, walked by arrows, rewired by dragging. It fills its parent, whose size decides at
 * first which way the plan runs.
 */
export default function PlanCanvas(props: PlanCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    // No part of the screen waits for a plan to be laid out.
    const measure = () =>
      startTransition(() => setBox({ width: element.clientWidth, height: element.clientHeight }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame} className={css.frame}>
      {box && box.width > 0 ? <CanvasFlow {...props} box={box} /> : null}
    </div>
  );
}
