import { type Camera, zoomedAt } from './canvas-camera.ts';
import type { Point } from './layout/layout.ts';

/** A press that moved no further was a click. */
const CLICK_PX = 4;
/** Powers of two of zoom for a unit of a wheel, by what it counts: pixels, lines, pages. */
const WHEEL = [0.002, 0.05, 1] as const;
/** A pinch on a trackpad comes as a wheel with Control and in small steps. */
const PINCH = 10;
/** Of one turn of a wheel: a mouse's with Control counts as far as many steps of a pinch. */
const WHEEL_MOST = 0.5;

/**
 * Moves the camera by the pointers on an element: one drags the plan, two pinch it, a wheel zooms at its place. What is done to
 * the plan itself (`preventDefault` on the press) moves nothing. Listens until the signal; `onClick` hears of a press on the
 * element itself that did not drag.
 */
export function panAndZoom(
  pane: HTMLElement,
  camera: Camera,
  onClick: () => void,
  signal: AbortSignal,
): void {
  const pointers = new Map<number, Point>();
  let begin: Point | null = null;
  let hasDragged = false;
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = pane.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, run: (event: HTMLElementEventMap[K]) => void) =>
    pane.addEventListener(type, run, { signal, passive: false });
  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    // The first finger that is down: no other is, even one whose end this did not hear of.
    if (event.isPrimary) pointers.clear();
    if (pointers.size === 0) {
      begin = placeOf(event);
      hasDragged = event.defaultPrevented;
    }
    if (!event.defaultPrevented) pointers.set(event.pointerId, placeOf(event));
  });
  // Whoever moves the plan by the pointer goes on by the keyboard where they were.
  on('mousedown', (event) => {
    if (event.target === pane && pane.contains(document.activeElement)) event.preventDefault();
  });
  on('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    // Released where this did not hear of it.
    if (event.buttons === 0) pointers.delete(event.pointerId);
    if (!last || !begin || event.buttons === 0) return;
    const at = placeOf(event);
    if (!hasDragged && Math.hypot(at.x - begin.x, at.y - begin.y) < CLICK_PX) return;
    hasDragged = true;
    // Not before: a click on a step stays one.
    if (!pane.hasPointerCapture(event.pointerId)) pane.setPointerCapture(event.pointerId);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    move(camera, last, at, other);
    pointers.set(event.pointerId, at);
  });
  const lift = ({ pointerId }: PointerEvent) => void pointers.delete(pointerId);
  on('pointerup', lift);
  on('pointercancel', lift);
  on('click', ({ target }) => {
    if (target === pane && !hasDragged) onClick();
  });
  on('wheel', (event) => {
    event.preventDefault();
    const power = -event.deltaY * (WHEEL[event.deltaMode] ?? WHEEL[0]) * (event.ctrlKey ? PINCH : 1);
    const view = camera.getState();
    const most = Math.max(-WHEEL_MOST, Math.min(WHEEL_MOST, power));
    camera.setState(zoomedAt(view, placeOf(event), view.zoom * 2 ** most));
  });
}

/** One pointer takes the plan along; of two the plan stays under both. */
function move(camera: Camera, from: Point, to: Point, other: Point | undefined): void {
  const view = camera.getState();
  const share = other ? 0.5 : 1;
  const moved = { ...view, x: view.x + (to.x - from.x) * share, y: view.y + (to.y - from.y) * share };
  if (!other) {
    camera.setState(moved);
    return;
  }
  const middle = { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 };
  const ratio = distance(to, other) / Math.max(1, distance(from, other));
  camera.setState(zoomedAt(moved, middle, view.zoom * ratio));
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
