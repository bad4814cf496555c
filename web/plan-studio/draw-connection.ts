import { type Camera, overlaps, planPoint, seenOf } from './canvas-camera.ts';
import { beginConnection, type CanvasStore, moveConnection } from './canvas-store.ts';
import { connectProblem } from './cycle.ts';
import type { Point } from './layout/layout.ts';

/** A press that moved no further was a click: the next one chooses the end. */
const CLICK_PX = 5;
/** Near the rim the plan moves on under the pointer. */
const RIM_PX = 40;
const MOVE_PX = 12;

export interface Drawing {
  store: CanvasStore;
  camera: Camera;
  canvas: HTMLElement;
  onConnect(from: string, to: string): void;
}

/**
 * Follows the pointer from a node's handle to the node that is to depend on it: held down, or by one click here and one there.
 * What cannot be the end is known from the start; Escape gives up. The answer gives up as well.
 */
export function drawConnection(event: PointerEvent, from: string, drawing: Drawing): () => void {
  const { store, canvas } = drawing;
  const ends = new AbortController();
  const begin = { x: event.clientX, y: event.clientY };
  const pointer = { ...begin };
  const follow = () => moveTo(drawing, pointer);
  let isHeld = true;
  const finish = (isMeant: boolean) => {
    ends.abort();
    const { connection, model } = store.getState();
    store.setState({ connection: null });
    const over = isMeant && connection?.over;
    // Judged anew: somebody else may have changed the plan since the pointer came here.
    if (over && !connectProblem(model.graph, model.nodes, from, over)) drawing.onConnect(from, over);
  };
  const on = <K extends keyof WindowEventMap>(type: K, run: (event: WindowEventMap[K]) => void) =>
    addEventListener(type, run, { signal: ends.signal, capture: true });
  event.preventDefault();
  (event.target as Element).releasePointerCapture?.(event.pointerId);
  beginConnection(store, from, ...placesOf(drawing, begin));
  on('pointermove', ({ clientX, clientY }) => {
    Object.assign(pointer, { x: clientX, y: clientY });
    follow();
  });
  // The press that chooses the end does nothing else.
  on('pointerdown', (press) => press.preventDefault());
  on('pointerup', ({ clientX, clientY, button }) => {
    const isClick = isHeld && Math.hypot(clientX - begin.x, clientY - begin.y) < CLICK_PX;
    isHeld = false;
    if (!isClick) finish(button === 0);
  });
  on('pointercancel', () => finish(false));
  on('keydown', (key) => {
    if (key.key !== 'Escape') return;
    key.preventDefault();
    key.stopPropagation();
    finish(false);
  });
  moveOnAtRim(drawing, pointer, follow, ends.signal, canvas);
  return () => finish(false);
}

function placesOf({ camera, canvas }: Drawing, pointer: Point): [at: Point, screen: Point] {
  const bounds = canvas.getBoundingClientRect();
  const at = { x: pointer.x - bounds.left, y: pointer.y - bounds.top };
  return [planPoint(camera.getState(), at), at];
}

function moveTo(drawing: Drawing, pointer: Point): void {
  const under = document.elementFromPoint(pointer.x, pointer.y)?.closest<HTMLElement>('[data-key]');
  moveConnection(drawing.store, under?.dataset.key ?? null, ...placesOf(drawing, pointer));
}

function moveOnAtRim(
  { camera, store }: Drawing,
  pointer: Point,
  follow: () => void,
  signal: AbortSignal,
  canvas: HTMLElement,
): void {
  const tick = () => {
    if (signal.aborted) return;
    const { left, right, top, bottom } = canvas.getBoundingClientRect();
    const dx = push(pointer.x, left, right);
    const dy = push(pointer.y, top, bottom);
    const view = camera.getState();
    const next = { ...view, x: view.x + dx, y: view.y + dy };
    // Not on and on, until the plan is out of sight.
    if ((dx !== 0 || dy !== 0) && overlaps(seenOf(next), store.getState().model.layout)) {
      camera.setState(next);
      follow();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function push(at: number, low: number, high: number): number {
  if (at < low + RIM_PX) return MOVE_PX;
  return at > high - RIM_PX ? -MOVE_PX : 0;
}
