import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { CanvasModel } from './canvas-model.ts';
import { type Connection, useCanvas, useCanvasStore } from './canvas-store.ts';
import css from './edge.module.css';
import type { DrawnEdge, EdgeLook } from './edge-model.ts';
import { arrowHead, curve, edgePath, outPort } from './edge-path.ts';

const LOOKS: readonly EdgeLook[] = ['redundant', 'plain', 'removed', 'critical', 'added'];

/**
 * All dependencies in a few paths, one for each look: a plan of five hundred nodes has nine hundred lines, and an element for
 * each would be most of the page. Those that can be selected have an unseen path of their own.
 */
export const EdgeLayer = memo(function EdgeLayer() {
  const model = useCanvas((state) => state.model);
  const groups = useLookPaths(model);
  return (
    <ViewportPortal>
      <svg className={css.edges} width="1" height="1" aria-hidden="true">
        {groups.map(({ look, lines, heads }) => (
          <g key={look} className={css[look]}>
            <path className={css.line} d={lines} />
            <path className={css.head} d={heads} />
          </g>
        ))}
        <TracedEdges />
        <Hits />
        <NewEdge />
      </svg>
    </ViewportPortal>
  );
});

type Drawing = Pick<CanvasModel, 'boxes' | 'layout'>;

function drawn(edges: readonly DrawnEdge[], { boxes, layout }: Drawing): { lines: string; heads: string } {
  const paths = edges.map(({ id, from, to }) => edgePath(boxes.get(from)!, boxes.get(to)!, layout, id));
  const ends = new Set(edges.map(({ to }) => to));
  const heads = [...ends].map((to) => arrowHead(boxes.get(to)!, layout.flow));
  return { lines: paths.join(''), heads: heads.join('') };
}

function useLookPaths({ edges, critical, boxes, layout }: CanvasModel) {
  return useMemo(() => {
    const lookOf = ({ id, look }: DrawnEdge) => (look === 'plain' && critical.has(id) ? 'critical' : look);
    return LOOKS.flatMap((look) => {
      const those = edges.filter((edge) => lookOf(edge) === look);
      return those.length > 0 ? [{ look, ...drawn(those, { boxes, layout }) }] : [];
    });
  }, [edges, critical, boxes, layout]);
}

/** The dependencies up and down of the node that is traced, and the one that is selected. */
function TracedEdges() {
  const { edges, boxes, layout } = useCanvas((state) => state.model);
  const trace = useCanvas((state) => state.trace);
  const selected = useCanvas((state) => state.edge);
  const lit = edges.filter(
    ({ id, from, to }) =>
      id === selected ||
      (trace && ((trace.up.has(from) && trace.up.has(to)) || (trace.down.has(from) && trace.down.has(to)))),
  );
  if (lit.length === 0) return null;
  const { lines, heads } = drawn(lit, { boxes, layout });
  return (
    <g className={css.lit}>
      <path className={css.line} d={lines} />
      <path className={css.head} d={heads} />
    </g>
  );
}

/** Wide unseen lines along the dependencies that can be taken out. */
function Hits() {
  const store = useCanvasStore();
  const isEditable = useCanvas((state) => state.isEditable);
  const { edges, boxes, layout } = useCanvas((state) => state.model);
  const paths = useMemo(
    () =>
      edges
        .filter(({ isWritten }) => isEditable && isWritten)
        .map(({ id, from, to }) => ({ id, path: edgePath(boxes.get(from)!, boxes.get(to)!, layout, id) })),
    [isEditable, edges, boxes, layout],
  );
  return paths.map(({ id, path }) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: for pointers; by keyboard a dependency is taken out in the details
    <path key={id} className={css.hit} d={path} data-edge={id} onClick={() => store.setState({ edge: id })} />
  ));
}

/** The dependency that is being drawn, and the cycle that it would close. */
function NewEdge() {
  const connection = useCanvas((state) => state.connection);
  const { edges, boxes, layout } = useCanvas((state) => state.model);
  if (!connection) return null;
  const from = boxes.get(connection.from);
  if (!from) return null;
  const start = outPort(from, layout.flow);
  const path = `M${start.x} ${start.y}${curve(start, connection.at, layout.flow)}`;
  const { lines, heads } = drawn(edgesOfCycle(edges, connection), { boxes, layout });
  return (
    <g className={connection.refusal ? css.refused : css.drawing}>
      <path className={css.line} d={lines} />
      <path className={css.head} d={heads} />
      <path className={css.line} d={path} />
    </g>
  );
}

function edgesOfCycle(edges: readonly DrawnEdge[], { refusal }: Connection): DrawnEdge[] {
  if (refusal?.reason !== 'cycle') return [];
  const next = new Map(refusal.path.map((key, i) => [key, refusal.path[i + 1]]));
  return edges.filter(({ from, to }) => next.get(from) === to);
}
