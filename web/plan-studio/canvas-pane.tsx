import { type FocusEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import css from './canvas.module.css';
import { type CameraState, mountedPart, overlaps, seenOf, useCamera, useView } from './canvas-camera.ts';
import { useCanvas, useCanvasActions } from './canvas-store.ts';
import { EdgeLayer } from './edge-layer.tsx';
import type { Box } from './edge-path.ts';
import { panAndZoom } from './pan-zoom.ts';
import { PlanNodeCard } from './plan-node.tsx';
import type { CanvasView } from './use-canvas-view.ts';

/** Of a larger plan only what is in view is mounted. */
const CULL_FROM = 150;

const transformOf = ({ x, y, zoom }: CameraState): string => `translate(${x}px, ${y}px) scale(${zoom})`;

/** What the plan is seen through. A pan moves one element and draws no part of the plan again. */
export function CanvasPane({ view }: { view: CanvasView }) {
  const camera = useCamera();
  const actions = useCanvasActions();
  const pane = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const move = (state: CameraState) => {
      if (world.current) world.current.style.transform = transformOf(state);
    };
    move(camera.getState());
    return camera.subscribe(move);
  }, [camera]);
  useEffect(() => {
    const ends = new AbortController();
    if (pane.current) panAndZoom(pane.current, camera, () => actions.select(null), ends.signal);
    return () => ends.abort();
  }, [camera, actions]);
  // The pane does not scroll: whoever comes by Tab is shown the step.
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const key = target.closest<HTMLElement>('[data-key]')?.dataset.key;
    if (key !== undefined && target.matches(':focus-visible')) view.show(key);
  };
  return (
    <div ref={pane} className={css.pane}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears of the focus of the steps in it */}
      <div ref={world} className={css.world} onFocus={onFocus}>
        <EdgeLayer />
        <Nodes />
      </div>
    </div>
  );
}

function Nodes() {
  const { nodes, boxes, criticalKeys } = useCanvas((state) => state.model);
  const part = useMountedPart(nodes.size > CULL_FROM);
  // The focus is not lost when its step is moved out of view.
  const kept = useCanvas(({ stopKey }) => stopKey);
  const keys = useMemo(
    () => [...nodes.keys()].filter((key) => !part || key === kept || overlaps(boxes.get(key)!, part)),
    [nodes, boxes, part, kept],
  );
  return keys.map((key) => (
    <PlanNodeCard key={key} node={nodes.get(key)!} isCritical={criticalKeys.has(key)} {...boxes.get(key)!} />
  ));
}

/** Null when all is mounted. */
function useMountedPart(isCulled: boolean): Box | null {
  const last = useRef<Box | null>(null);
  return useView((state) => {
    last.current = isCulled ? mountedPart(last.current, seenOf(state)) : null;
    return last.current;
  });
}
