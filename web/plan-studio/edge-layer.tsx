import { memo, useMemo } from 'react';
import type { CanvasModel } from './canvas-model.ts';
import { type Connection, useCanvas, useCanvasStore } from './canvas-store.ts';
import css from './edge.module.css';
import type { DrawnEdge, EdgeLook } from './edge-model.ts';
import { arrowHead, curve, edgePath, outPort } from './edge-path.ts';

/** Lines of one path. */
const BUNDLE = 16;

const LOOKS: readonly EdgeLook[] = ['redundant', 'plain', 'removed', 'critical', 'added'];

/**
 * All dependencies in some tens of paths: a plan of five hundred nodes has nine hundred lines, and an element for each would be
 * most of the page. Those that can be selected have an unseen path of their own.
 */
export const EdgeLayer = memo(function EdgeLayer() {
  const model = useCanvas((state) => state.model);
  const groups = useLookPaths(model);
  return (
    <svg className={css.edges} width="1" height="1" aria-hidden="true">
      {groups.map(({ look, bundles }) => (
        <g key={look} className={css[look]}>
          {bundles.map(({ id, lines, heads }) => (
            <g key={id}>
              <path className={css.line} d={lines} />
              <path className={css.head} d={heads} />
            </g>
          ))}
        </g>
      ))}
      <TracedEdges />
      <Hits />
      <NewEdge />
    </svg>
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
      const bundles = bundled(those, { boxes, layout }).map((bundle) => ({
        id: bundle[0]!.id,
        ...drawn(bundle, { boxes, layout }),
      }));
      return those.length > 0 ? [{ look, bundles }] : [];
    });
  }, [edges, critical, boxes, layout]);
}

/**
 * Dependencies that begin near each other, by layer and by place in it. Were all one path, the browser would go through the
 * whole of it for every tile of the screen that a pan brings into view.
 */
function bundled(edges: readonly DrawnEdge[], { boxes, layout }: Drawing): DrawnEdge[][] {
  const byLayer = Map.groupBy(edges, ({ from }) => layout.layerOf.get(from) ?? 0);
  const across = layout.flow === 'LR' ? 'y' : 'x';
  return [...byLayer.values()].flatMap((layer) => {
    layer.sort((a, b) => boxes.get(a.from)![across] - boxes.get(b.from)![across]);
    return Array.from({ length: Math.ceil(layer.length / BUNDLE) }, (_, i) =>
      layer.slice(i * BUNDLE, (i + 1) * BUNDLE),
    );
  });
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
