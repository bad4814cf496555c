import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Viewport, ZOOM_LEAST, ZOOM_MOST } from './canvas-viewport.ts';
import type { Box } from './edge-path.ts';
import type { Point, Size } from './layout/layout.ts';

/** The view of the plan and the size of what it is seen through, in pixels of the page. */
export type CameraState = Viewport & Size;

/** Apart from the canvas's other state: it changes with every frame of a pan, and only what moves with it listens. */
export type Camera = StoreApi<CameraState>;

export const createCamera = (view: Viewport, { width, height }: Size): Camera =>
  createStore<CameraState>()(() => ({ ...view, width, height }));

const CameraContext = createContext<Camera | null>(null);
export const CameraProvider = CameraContext.Provider;

export function useCamera(): Camera {
  const camera = useContext(CameraContext);
  if (!camera) throw new Error('a part of the plan canvas stands outside of it');
  return camera;
}

export const useView = <T>(select: (state: CameraState) => T): T => useStore(useCamera(), select);

/** The view at another zoom within the limits, with the plan's point at `at` (a point of the canvas) where it is. */
export function zoomedAt({ x, y, zoom }: Viewport, at: Point, wanted: number): Viewport {
  const next = Math.max(ZOOM_LEAST, Math.min(ZOOM_MOST, wanted));
  const ratio = next / zoom;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, zoom: next };
}

/** The point of the plan at a point of the canvas. */
export const planPoint = ({ x, y, zoom }: Viewport, at: Point): Point => ({
  x: (at.x - x) / zoom,
  y: (at.y - y) / zoom,
});

/** The part of the plan that is seen. */
export const seenOf = (view: CameraState): Box => ({
  ...planPoint(view, { x: 0, y: 0 }),
  width: view.width / view.zoom,
  height: view.height / view.zoom,
});

export const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const holds = (a: Box, b: Box): boolean =>
  a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;

/** On each side, as a share of what is seen. */
const BEYOND = 0.15;
/** A part that is so much wider than what is seen is more than has to be mounted. */
const TOO_WIDE = 4;

/** The part of the plan that is mounted: what is seen and some beyond, the same while that holds what is seen. */
export function mountedPart(before: Box | null, seen: Box): Box {
  if (before && holds(before, seen) && before.width < seen.width * TOO_WIDE) return before;
  const [dx, dy] = [seen.width * BEYOND, seen.height * BEYOND];
  return { x: seen.x - dx, y: seen.y - dy, width: seen.width + 2 * dx, height: seen.height + 2 * dy };
}
