import './canvas-vendor.css';
import { ReactFlow } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import css from './canvas.module.css';
import { CanvasKeys } from './canvas-keys.tsx';
import { CanvasLegend } from './canvas-legend.tsx';
import { Minimap } from './canvas-minimap.tsx';
import type { CanvasModel } from './canvas-model.ts';
import { RefusalNote } from './canvas-note.tsx';
import { CanvasSearch } from './canvas-search.tsx';
import { CanvasStage } from './canvas-stage.tsx';
import { CanvasContext, type CanvasStore } from './canvas-store.ts';
import { CanvasTools } from './canvas-tools.tsx';
import { firstViewOf, ZOOM_LEAST, ZOOM_MOST } from './canvas-viewport.ts';
import { EdgeChip } from './edge-chip.tsx';
import { EdgeLayer } from './edge-layer.tsx';
import { type FlowNode, flowNodes } from './flow-nodes.ts';
import type { Size } from './layout/layout.ts';
import { PlanNodeCard } from './plan-node.tsx';
import type { PlanCanvasProps } from './plan-view.ts';
import { useCanvasActions, useSyncedStore } from './use-canvas-setup.ts';
import { useCanvasView } from './use-canvas-view.ts';
import { useKeptView } from './use-kept-view.ts';
import { usePlanModel } from './use-plan-model.ts';

const NODE_TYPES = { step: PlanNodeCard };
/** Of a larger plan only what is in view is mounted. */
const CULL_FROM = 150;
const NOTHING: ReadonlySet<string> = new Set();

/** The canvas once the room for it is known. */
export function CanvasFlow({ box, ...props }: PlanCanvasProps & { box: Size }) {
  const { model, chooseFlow } = usePlanModel(props.view, box);
  const store = useSyncedStore(model, props);
  const stage = useRef<HTMLElement>(null);
  const [connected, setConnected] = useState<readonly [from: string, to: string] | null>(null);
  const actions = useCanvasActions(store, props, stage, (from, to) => setConnected([from, to]));
  const boxNow = useRef(box);
  boxNow.current = box;
  const view = useCanvasView(store, boxNow);
  const [isSearching, setSearching] = useState(false);
  const [isLegendOpen, setLegendOpen] = useState(false);
  const nodes = useFlowNodes(model, store);
  const [firstView] = useState(() => firstViewOf(model, box, props.selectedKey));
  useKeptView(firstView, box, () => firstViewOf(model, box, props.selectedKey));
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
    <CanvasContext value={context}>
      <CanvasStage ref={stage} connected={connected}>
        <ReactFlow
          {...BEHAVIOUR}
          nodes={nodes}
          nodeTypes={NODE_TYPES}
          onlyRenderVisibleElements={nodes.length > CULL_FROM}
          defaultViewport={firstView}
          onPaneClick={() => actions.select(null)}
        >
          <EdgeLayer />
        </ReactFlow>
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
  );
}

/** React Flow pans, zooms and mounts what is in view. Selection, focus, lines and drawing them are the canvas's own. */
const BEHAVIOUR = {
  edges: [],
  minZoom: ZOOM_LEAST,
  maxZoom: ZOOM_MOST,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
  zoomOnDoubleClick: false,
  proOptions: { hideAttribution: true },
};

function useFlowNodes(model: CanvasModel, store: CanvasStore): FlowNode[] {
  const isCulled = model.nodes.size > CULL_FROM;
  const stop = useStore(store, ({ stopKey }) => (isCulled ? stopKey : null));
  const before = useRef<ReadonlyMap<string, FlowNode>>(new Map());
  return useMemo(() => {
    const nodes = flowNodes(model, stop ? new Set([stop]) : NOTHING, before.current);
    before.current = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  }, [model, stop]);
}
