import { useMemo } from 'react';
import { type Camera, zoomedAt } from './canvas-camera.ts';
import type { CanvasStore } from './canvas-store.ts';
import { viewAround, viewOf, viewWith, ZOOM_LEAST } from './canvas-viewport.ts';
import { middleOf } from './edge-path.ts';

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

/** Of a key or a button. */
const ZOOM_STEP = 1.2;

export function useCanvasView(store: CanvasStore, camera: Camera): CanvasView {
  return useMemo(() => {
    const model = () => store.getState().model;
    const place = (key: string) => model().boxes.get(key);
    const zoomBy = (factor: number) => {
      const view = camera.getState();
      const middle = { x: view.width / 2, y: view.height / 2 };
      camera.setState(zoomedAt(view, middle, view.zoom * factor));
    };
    const lookAt = (key: string, zoom: number) => {
      const node = place(key);
      if (node) camera.setState(viewAround({ zoom }, middleOf(node), model().layout, camera.getState()));
    };
    return {
      zoomIn: () => zoomBy(ZOOM_STEP),
      zoomOut: () => zoomBy(1 / ZOOM_STEP),
      actualSize: () => {
        const { selectedKey, stopKey } = store.getState();
        lookAt(selectedKey ?? stopKey ?? '', 1);
      },
      fit: () => {
        const { layout } = model();
        camera.setState(viewOf(layout, camera.getState(), layout, ZOOM_LEAST));
      },
      show: (key) => {
        const node = place(key);
        const view = node && viewWith(camera.getState(), node, camera.getState());
        if (view) camera.setState(view);
      },
      centre: (key) => lookAt(key, camera.getState().zoom),
    };
  }, [camera, store]);
}
