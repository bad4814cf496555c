import { Trash2 } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { useView } from './canvas-camera.ts';
import { useCanvas, useCanvasActions, useCanvasStore } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import css from './edge.module.css';
import { edgeMiddle } from './edge-path.ts';
import { namedTitle } from './plan-node-words.ts';
import { reach } from './reach.ts';

/** Beside the dependency that is selected: what it says, whether it could go, and the way to take it out. */
export function EdgeChip() {
  const t = useText(canvasText);
  const store = useCanvasStore();
  const actions = useCanvasActions();
  const id = useCanvas((state) => state.edge);
  const { edges, nodes, boxes, layout, graph } = useCanvas((state) => state.model);
  const edge = edges.find((one) => one.id === id);
  const view = useView((state) => (edge ? state : null));
  if (!edge || !view) return null;
  const { from, to } = edge;
  const at = edgeMiddle(boxes.get(from)!, boxes.get(to)!, layout, edge.id);
  const titleOf = (key: string) => namedTitle(nodes, key);
  const through = edge.look === 'redundant' ? graph.inNeighbors(to).find(leadsFrom) : undefined;
  function leadsFrom(need: string): boolean {
    return need !== from && reach(graph, from, 'down').has(need);
  }
  return (
    <div
      className={css.chip}
      style={
        { '--x': `${at.x * view.zoom + view.x}px`, '--y': `${at.y * view.zoom + view.y}px` } as CSSProperties
      }
    >
      <span>
        {t.edge(titleOf(from), titleOf(to))} {through ? t.implied(titleOf(through)) : null}
      </span>
      <Button
        kind="quiet"
        onClick={() => {
          store.setState({ edge: null });
          actions.disconnect(from, to);
        }}
      >
        <Trash2 size={14} aria-hidden /> {t.removeEdge}
      </Button>
    </div>
  );
}
