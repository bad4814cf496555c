import { useReactFlow } from '@xyflow/react';
import { type RefObject, useMemo } from 'react';
import type { CanvasStore } from './canvas-store.ts';
import { viewAround, viewOf, viewWith, ZOOM_LEAST } from './canvas-viewport.ts';
import { middleOf } from './edge-path.ts';
import type { Size } from './layout/layout.ts';

/** Moves of the view. None is animated: a plan jumps to where it is wanted, and 500 nodes cost one frame. */
export interface CanvasView {
  zoomIn(): void;
  zoomOut(): void;
  actualSize(): void;
  fit(): void;
  /** Brings a node into view, moving no further than it has to. */
  show(key: string): void;
  /** Puts a node in the middle, readable. */
  centre(key: string): void;
}

export function useCanvasView(store: CanvasStore, box: RefObject<Size>): CanvasView {
  const flow = useReactFlow();
  return useMemo(() => {
    const model = () => store.getState().model;
    const place = (key: string) => model().boxes.get(key);
    return {
      zoomIn: () => void flow.zoomIn(),
      zoomOut: () => void flow.zoomOut(),
      actualSize: () => {
        const { selectedKey, stopKey } = store.getState();
        const around = place(selectedKey ?? stopKey ?? '');
        if (!around) return void flow.zoomTo(1);
        void flow.setViewport(viewAround({ zoom: 1 }, middleOf(around), model().layout, box.current));
      },
      fit: () => {
        const { layout } = model();
        void flow.setViewport(viewOf(layout, box.current, { x: layout.x, y: layout.y }, ZOOM_LEAST));
      },
      show: (key) => {
        const node = place(key);
        const view = node && viewWith(flow.getViewport(), node, box.current);
        if (view) void flow.setViewport(view);
      },
      centre: (key) => {
        const node = place(key);
        if (node)
          void flow.setViewport(viewAround(flow.getViewport(), middleOf(node), model().layout, box.current));
      },
    };
  }, [flow, store, box]);
}
