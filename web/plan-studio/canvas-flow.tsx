import { useEffect, useMemo, useRef, useState } from 'react';
import css from './canvas.module.css';
import { CameraProvider, createCamera } from './canvas-camera.ts';
import { CanvasKeys } from './canvas-keys.tsx';
import { CanvasLegend } from './canvas-legend.tsx';
import { Minimap } from './canvas-minimap.tsx';
import { RefusalNote } from './canvas-note.tsx';
import { CanvasPane } from './canvas-pane.tsx';
import { CanvasSearch } from './canvas-search.tsx';
import { CanvasStage } from './canvas-stage.tsx';
import { CanvasContext } from './canvas-store.ts';
import { CanvasTools } from './canvas-tools.tsx';
import { firstViewOf } from './canvas-viewport.ts';
import { EdgeChip } from './edge-chip.tsx';
import type { Size } from './layout/layout.ts';
import type { PlanCanvasProps } from './plan-view.ts';
import { useCanvasActions, useSyncedStore } from './use-canvas-setup.ts';
import { useCanvasView } from './use-canvas-view.ts';
import { useKeptView } from './use-kept-view.ts';
import { usePlanModel } from './use-plan-model.ts';

/** The canvas once the room for it is known. */
export function CanvasFlow({ box, ...props }: PlanCanvasProps & { box: Size }) {
  const { model, chooseFlow } = usePlanModel(props.view, box);
  const store = useSyncedStore(model, props);
  const stage = useRef<HTMLElement>(null);
  const [connected, setConnected] = useState<readonly [from: string, to: string] | null>(null);
  const firstView = () => firstViewOf(model, box, props.selectedKey);
  const [camera] = useState(() => createCamera(firstView(), box));
  useKeptView(
    camera,
    box,
    props.view.nodes.some(({ change }) => change !== undefined),
    firstView,
  );
  const actions = useCanvasActions(store, camera, props, stage, (from, to) => setConnected([from, to]));
  const view = useCanvasView(store, camera);
  const [isSearching, setSearching] = useState(false);
  const [isLegendOpen, setLegendOpen] = useState(false);
  const context = useMemo(() => ({ store, actions }), [store, actions]);
  const { selectedKey } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size of the box may have put the selection out of view
  useEffect(() => {
    if (selectedKey) view.show(selectedKey);
  }, [view, selectedKey, box.width, box.height]);
  const flow = model.layout.flow;
  const lastFlow = useRef(flow);
  useEffect(() => {
    if (lastFlow.current !== flow) view.fit();
    lastFlow.current = flow;
  }, [view, flow]);
  return (
    <CameraProvider value={camera}>
      <CanvasContext value={context}>
        <CanvasStage ref={stage} connected={connected}>
          <CanvasPane view={view} />
          <EdgeChip />
          {isSearching ? (
            <CanvasSearch
              onShow={(key) => {
                view.centre(key);
                actions.select(key);
              }}
              onClose={(last) => {
                setSearching(false);
                const back = last ?? store.getState().stopKey;
                store.setState({ stopKey: back, wantedKey: back });
              }}
            />
          ) : null}
          <div className={css.bar}>
            <CanvasTools
              {...{ view, isLegendOpen }}
              onFlow={chooseFlow}
              onSearch={() => setSearching(true)}
              onLegend={() => setLegendOpen(!isLegendOpen)}
            />
            <CanvasLegend isOpen={isLegendOpen} />
          </div>
          <Minimap />
          <RefusalNote />
        </CanvasStage>
        <CanvasKeys store={store} actions={actions} view={view} onSearch={() => setSearching(true)} />
      </CanvasContext>
    </CameraProvider>
  );
}
