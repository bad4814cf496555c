import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Camera } from './canvas-camera.ts';
import type { CanvasModel } from './canvas-model.ts';
import { type CanvasActions, type CanvasStore, createCanvasStore } from './canvas-store.ts';
import { drawConnection } from './draw-connection.ts';
import type { PlanCanvasProps } from './plan-view.ts';

/** The canvas's store, told of the props before anything is painted. */
export function useSyncedStore(model: CanvasModel, props: PlanCanvasProps): CanvasStore {
  const [store] = useState(() => createCanvasStore(model));
  const { selectedKey, isEditable, chosenKeys = null, onlookers = null } = props;
  useLayoutEffect(() => {
    const { stopKey, edge, trace } = store.getState();
    const first = model.nodes.keys().next().value ?? null;
    const wanted = selectedKey !== store.getState().selectedKey ? selectedKey : stopKey;
    store.setState({
      model,
      selectedKey,
      isEditable,
      chosenKeys,
      onlookers,
      stopKey: wanted !== null && model.nodes.has(wanted) ? wanted : first,
      edge: isEditable && model.edges.some(({ id }) => id === edge) ? edge : null,
      trace: trace && model.nodes.has(trace.key) ? trace : null,
    });
  }, [store, model, selectedKey, isEditable, chosenKeys, onlookers]);
  return store;
}

/** What the parts of the canvas call; `onConnected` hears of each dependency that was drawn. */
export function useCanvasActions(
  store: CanvasStore,
  camera: Camera,
  props: PlanCanvasProps,
  stage: RefObject<HTMLElement | null>,
  onConnected: (from: string, to: string) => void,
): CanvasActions {
  const latest = useRef({ props, onConnected });
  latest.current = { props, onConnected };
  const giveUp = useRef<(() => void) | null>(null);
  useEffect(() => () => giveUp.current?.(), []);
  return useMemo(() => {
    const now = () => latest.current.props;
    const connect = (from: string, to: string) => {
      now().onConnect(from, to);
      latest.current.onConnected(from, to);
    };
    return {
      select(key) {
        store.setState({ edge: null, ...(key === null && { trace: null }) });
        now().onSelect(key);
      },
      open(key) {
        now().onSelect(key);
        now().onOpen?.(key);
      },
      connect,
      disconnect: (from, to) => now().onDisconnect(from, to),
      remove: (key) => now().onDelete(key),
      draw(event, from) {
        // One that is being drawn already ends here.
        if (event.defaultPrevented || event.button !== 0 || !stage.current) return;
        giveUp.current = drawConnection(event, from, {
          ...{ store, camera, onConnect: connect },
          canvas: stage.current,
        });
      },
    };
  }, [store, camera, stage]);
}
