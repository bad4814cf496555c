import { memo, type PointerEvent, useMemo, useRef } from 'react';
import { useText } from '../i18n/text.ts';
import css from './canvas.module.css';
import { seenOf, useCamera, useView } from './canvas-camera.ts';
import type { CanvasModel } from './canvas-model.ts';
import { useCanvas } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import type { Layout } from './layout/layout.ts';
import { type Tone, toneOf } from './plan-node-words.ts';

const WIDTH = 176;
const HEIGHT = 112;
const MARGIN = 8;
/** A plan of fewer steps needs no overview. */
const FROM_NODES = 12;

/**
 * The whole plan small, with the part that is in view; for pointers (the keyboard has F and the arrows). The nodes are a path
 * for each tone: a pan moves one rectangle.
 */
export const Minimap = memo(function Minimap() {
  const t = useText(canvasText);
  const camera = useCamera();
  const { layout, boxes, nodes, criticalKeys } = useCanvas((state) => state.model);
  const svg = useRef<SVGSVGElement>(null);
  const scale = scaleOf(layout);
  const paths = useMemo(() => pathsOf(boxes, nodes, criticalKeys), [boxes, nodes, criticalKeys]);
  if (nodes.size < FROM_NODES) return null;
  const x = layout.x - (WIDTH / scale - layout.width) / 2;
  const y = layout.y - (HEIGHT / scale - layout.height) / 2;
  const go = (event: PointerEvent) => {
    if (event.buttons !== 1 || !svg.current) return;
    const at = svg.current.getBoundingClientRect();
    const view = camera.getState();
    const to = { x: x + (event.clientX - at.left) / scale, y: y + (event.clientY - at.top) / scale };
    camera.setState({ x: view.width / 2 - to.x * view.zoom, y: view.height / 2 - to.y * view.zoom });
  };
  return (
    <svg
      ref={svg}
      className={css.minimap}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`${x} ${y} ${WIDTH / scale} ${HEIGHT / scale}`}
      role="img"
      aria-label={t.overview}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      {TONES.map((tone) => (paths[tone] ? <path key={tone} className={css[tone]} d={paths[tone]} /> : null))}
      <InView stroke={1.5 / scale} />
    </svg>
  );
});

const scaleOf = ({ width, height }: Layout): number =>
  Math.min((WIDTH - 2 * MARGIN) / Math.max(1, width), (HEIGHT - 2 * MARGIN) / Math.max(1, height));

/** What needs somebody is drawn last, over the rest. */
const TONES = ['miniPlain', 'miniGood', 'miniAccent', 'miniWarn', 'miniBad'] as const;
const CLASSES: Record<Tone, (typeof TONES)[number]> = {
  ...{ good: 'miniGood', accent: 'miniAccent', warn: 'miniWarn', bad: 'miniBad' },
};

function pathsOf(
  boxes: CanvasModel['boxes'],
  nodes: CanvasModel['nodes'],
  critical: ReadonlySet<string>,
): Partial<Record<(typeof TONES)[number], string>> {
  const paths: ReturnType<typeof pathsOf> = {};
  for (const [key, { x, y, width, height }] of boxes) {
    const node = nodes.get(key);
    if (!node) continue;
    const tone = toneOf(node, critical.has(key));
    const name = tone ? CLASSES[tone] : 'miniPlain';
    paths[name] = `${paths[name] ?? ''}M${x} ${y}h${width}v${height}h${-width}z`;
  }
  return paths;
}

function InView({ stroke }: { stroke: number }) {
  const seen = seenOf(useView((state) => state));
  return <rect className={css.miniView} strokeWidth={stroke} {...seen} />;
}
