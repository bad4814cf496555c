import { useEffect, useRef } from 'react';
import { traceNode, useCanvasStore } from './canvas-store.ts';

/** Long enough that a pointer on its way over the plan lights nothing. */
const INTENT_MS = 90;

/** Lights what is up and down of a node while the pointer rests on it. */
export function useHoverTrace(key: string) {
  const store = useCanvasStore();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerEnter: ({ pointerType, buttons }: { pointerType: string; buttons: number }) => {
      if (pointerType !== 'mouse' || buttons !== 0) return;
      timer.current = setTimeout(() => {
        if (!store.getState().connection) traceNode(store, key);
      }, INTENT_MS);
    },
    onPointerLeave: () => {
      clearTimeout(timer.current);
      if (store.getState().trace?.key === key) traceNode(store, null);
    },
  };
}
