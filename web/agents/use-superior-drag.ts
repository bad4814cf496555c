import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { circleOf, type OrgGraph } from './org-graph.ts';

/** Where a dragged agent is held. */
export type DragTarget =
  | { kind: 'nowhere' }
  | { kind: 'same'; superior: string | null }
  | { kind: 'circle'; names: readonly string[]; superior: string }
  | { kind: 'fits'; superior: string | null };

export interface Drag {
  id: string;
  x: number;
  y: number;
  target: DragTarget;
}

/** Less than this is a click. */
const BEGINS_PX = 5;

/**
 * Drags the elements marked `data-agent` onto each other, or onto the one marked `data-top`. A finger scrolls instead: it has the
 * list of choices.
 */
export function useSuperiorDrag(graph: OrgGraph, onDrop: (id: string, superior: string | null) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const start = useRef<{ id: string; x: number; y: number } | null>(null);
  const current = useRef<Drag | null>(null);
  const latest = useRef({ graph, onDrop });
  latest.current = { graph, onDrop };
  useEffect(() => {
    const put = (next: Drag | null) => {
      current.current = next;
      setDrag(next);
    };
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      const from = start.current;
      if (!from || (current.current === null && Math.hypot(x - from.x, y - from.y) < BEGINS_PX)) return;
      put({ id: from.id, x, y, target: targetAt(latest.current.graph, from.id, x, y) });
    };
    const end = () => {
      start.current = null;
      put(null);
    };
    const drop = () => {
      const held = current.current;
      end();
      if (held?.target.kind === 'fits') latest.current.onDrop(held.id, held.target.superior);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || current.current === null) return;
      event.preventDefault();
      end();
    };
    const listeners = [
      ['pointermove', move],
      ['pointerup', drop],
      ['pointercancel', end],
      ['keydown', key],
    ] as const;
    for (const [type, listener] of listeners)
      addEventListener(type, listener as EventListener, { capture: true });
    return () => {
      for (const [type, listener] of listeners)
        removeEventListener(type, listener as EventListener, { capture: true });
    };
  }, []);
  const onPointerDown = ({ button, pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
    const id = (target as Element).closest<HTMLElement>('[data-agent]')?.dataset.agent;
    if (id !== undefined && button === 0 && pointerType !== 'touch') start.current = { id, x, y };
  };
  return { drag, onPointerDown };
}

function targetAt(graph: OrgGraph, id: string, x: number, y: number): DragTarget {
  const element = document.elementFromPoint(x, y);
  const superior = element?.closest<HTMLElement>('[data-agent]')?.dataset.agent;
  if (superior === undefined && !element?.closest('[data-top]')) return { kind: 'nowhere' };
  if (superior === id) return { kind: 'nowhere' };
  const present = graph.inNeighbors(id)[0];
  if (present === superior) return { kind: 'same', superior: superior ?? null };
  const names = superior === undefined ? null : circleOf(graph, id, superior);
  if (names && superior !== undefined) return { kind: 'circle', names, superior };
  return { kind: 'fits', superior: superior ?? null };
}
